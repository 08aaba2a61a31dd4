/** The command line of `npm start`. */
import { parseArgs } from 'node:util';

const DEFAULT_PORT = 8787;
const DEFAULT_MODEL_PORT = 8788;

export const USAGE = `npm start [-- --port N --model-port M]

  --port N        port of the page and the API (default ${DEFAULT_PORT})
  --model-port M  port of the model server (default ${DEFAULT_MODEL_PORT})
  --help          show this

Both listen on 127.0.0.1 only. ATTUNE_HOME is the folder of the demo key, the stored sessions and
the logs (default .attune); MODEL_PATH names other weights than those of the repository.`;

/**
 * @param {string[]} argv arguments after the script's name
 * @returns {{ok: true, port: number, modelPort: number, help: boolean} | {ok: false, message: string}}
 */
export function readOptions(argv) {
  let values;
  try {
    ({ values } = parseArgs({
      args: argv,
      options: {
        port: { type: 'string' },
        'model-port': { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    }));
  } catch (error) {
    return { ok: false, message: `${error.message}\n\n${USAGE}` };
  }
  const port = readPort(values.port, DEFAULT_PORT);
  if (port === null) return { ok: false, message: wrongPort('--port', values.port) };
  const modelPort = readPort(values['model-port'], DEFAULT_MODEL_PORT);
  if (modelPort === null) {
    return { ok: false, message: wrongPort('--model-port', values['model-port']) };
  }
  if (port === modelPort) {
    return { ok: false, message: `--port and --model-port are both ${port}; they must differ.` };
  }
  return { ok: true, port, modelPort, help: values.help === true };
}

function readPort(value, fallback) {
  if (value === undefined) return fallback;
  const port = /^\d{1,5}$/.test(value) ? Number(value) : 0;
  return port >= 1 && port <= 65_535 ? port : null;
}

function wrongPort(flag, value) {
  return `${flag} takes a number from 1 to 65535, not "${value}".`;
}
