/** The process: configuration from the environment, one JSON line per event on stdout. */
import { readConfig } from './config.ts';
import { EngineStartError } from './engine/llama.ts';
import { type LogRecord, startServer } from './server.ts';

function log(record: LogRecord): void {
  console.log(JSON.stringify({ time: new Date().toISOString(), ...record }));
}

function fail(event: string, message: string): void {
  log({ level: 'error', event, message });
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const config = readConfig(process.env);
  if (!config.ok) return fail('bad_configuration', config.failure.message);
  const startedAt = performance.now();
  const server = await startServer({ ...config.value, log });
  log({
    level: 'info',
    event: 'ready',
    url: server.url,
    startup_ms: Math.round(performance.now() - startedAt),
    rss_mb: Math.round(process.memoryUsage.rss() / 1_000_000),
  });
  const stop = async (signal: NodeJS.Signals) => {
    log({ level: 'info', event: 'shutting_down', signal });
    await server.close();
    log({ level: 'info', event: 'stopped' });
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => void stop(signal));
  }
}

try {
  await main();
} catch (error) {
  if (error instanceof EngineStartError) fail('cannot_start', error.message);
  else if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    fail('cannot_start', 'The port is taken: set PORT to a free one.');
  } else throw error;
}
