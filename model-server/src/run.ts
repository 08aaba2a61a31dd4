/** The life of the process: configuration, start, signal, stop. What touches the process is given. */
import { readConfig } from './config.ts';
import { EngineStartError } from './engine/start-error.ts';
import { type LogRecord, startServer } from './server.ts';
import { failureOfListening } from './start-failure.ts';

/** The process as far as it matters here. */
export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: (record: LogRecord) => void;
  /** Call the handler at the first SIGTERM or SIGINT. */
  readonly onStopSignal: (handler: (signal: string) => void) => void;
  readonly exit: (code: number) => void;
  /** Default: {@link startServer}; tests have their own. */
  readonly start?: typeof startServer;
}

/**
 * Run the server until a signal; resolves when it is ready, waits for its engine, or cannot start.
 * @throws what nobody foresaw
 */
export async function run(host: Host): Promise<void> {
  const fail = (event: string, message: string) => {
    host.log({ level: 'error', event, message });
    host.exit(1);
  };
  const config = readConfig(host.env);
  if (!config.ok) return fail('bad_configuration', config.failure.message);
  const { start = startServer } = host;
  const startedAt = performance.now();
  try {
    const server = await start({ ...config.value, log: host.log });
    void server.hopeless.then(async () => {
      await server.close();
      fail('cannot_start', 'The engine can never come up: see the event engine_error.');
    });
    host.onStopSignal((signal) => void stop(signal));
    host.log({
      level: 'info',
      event: server.engineIsReady() ? 'ready' : 'waiting_for_engine',
      url: server.url,
      startup_ms: Math.round(performance.now() - startedAt),
      rss_mb: Math.round(process.memoryUsage.rss() / 1_000_000),
    });
    const stop = async (signal: string) => {
      host.log({ level: 'info', event: 'shutting_down', signal });
      await server.close();
      host.log({ level: 'info', event: 'stopped' });
      host.exit(0);
    };
  } catch (error) {
    if (error instanceof EngineStartError) return fail('cannot_start', error.message);
    const message = failureOfListening(error);
    if (message === null) throw error;
    return fail('cannot_start', message);
  }
}
