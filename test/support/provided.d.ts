/** What the global set-up hands to the tests. */
import 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The fault proxy in front of the model server. */
    modelServerUrl: string;
    modelServerToken: string;
    apiKey: string;
    apiKeySha256: string;
  }
}
