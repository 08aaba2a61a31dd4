/** Bindings and variables of the Worker, as declared in wrangler.toml. */
import type { SessionCoordinator } from './session/coordinator.ts';

export interface Env {
  readonly ENVIRONMENT: 'local' | 'production';
  /** Base URL of the model server, without `/v1`. */
  readonly MODEL_SERVER_URL: string;
  /** Model name sent upstream and listed by `GET /v1/models`. */
  readonly MODEL_NAME: string;
  /** ISO 3166-1 alpha-2 country whose helplines are shown when nothing better is known. */
  readonly DEFAULT_REGION: string;
  /** Bearer token of the model server (secret). */
  readonly MODEL_SERVER_TOKEN?: string;
  /** Hex SHA-256 of the one API key (secret). */
  readonly API_KEY_SHA256?: string;
  /** Local only: the demo key in clear, so that the page on this machine needs no typing. */
  readonly DEMO_KEY?: string;
  readonly STATE: KVNamespace;
  readonly SESSIONS: DurableObjectNamespace<SessionCoordinator>;
  readonly ASSETS: Fetcher;
  readonly RATE_LIMITER: RateLimit;
}
