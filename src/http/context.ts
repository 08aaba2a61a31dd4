/** What every handler finds on its Hono context. */
import type { Caller } from '../access/authenticate.ts';
import type { Env } from '../env.ts';

export interface AppEnv {
  Bindings: Env;
  Variables: {
    /** Id of this request, also sent upstream and in `x-request-id`. */
    requestId: string;
    /** Set by the `authenticated` middleware. */
    caller: Caller;
  };
}
