/** The bindings of the Worker under test. */
declare namespace Cloudflare {
  interface Env extends Omit<import('../../src/env.ts').Env, never> {}
}
