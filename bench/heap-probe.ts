/**
 * What V8 holds in a Worker's isolate, after a garbage collection: one line of JSON. A process of its
 * own, because Node 20 has a web socket only behind a flag:
 * `node --experimental-websocket --import tsx bench/heap-probe.ts ws://127.0.0.1:…/ws`
 * (Chrome DevTools Protocol: `HeapProfiler.collectGarbage`, `Runtime.getHeapUsage`). Without an answer
 * in 30 s, and when the inspector refuses or hangs up, it ends with status 1.
 */
const [url = ''] = process.argv.slice(2);
// The inspector wants to know who asks; Node's web socket takes headers where browsers do not.
const options: object = { headers: { origin: 'http://localhost' } };
const socket: WebSocket = Reflect.construct(WebSocket, [url, options]);
const commands = ['HeapProfiler.enable', 'HeapProfiler.collectGarbage', 'Runtime.getHeapUsage'];

socket.addEventListener('open', () => {
  for (const [id, method] of commands.entries()) socket.send(JSON.stringify({ id, method }));
});
socket.addEventListener('message', ({ data }) => {
  const { id, result, error } = JSON.parse(String(data));
  if (error !== undefined) end(`the inspector refused ${commands[id]}`);
  if (id !== commands.length - 1) return;
  console.log(JSON.stringify(result));
  process.exit(0);
});
socket.addEventListener('error', () => end('the inspector cannot be reached'));
socket.addEventListener('close', () => end('the inspector hung up before it answered'));
setTimeout(() => end('the inspector did not answer in 30 s'), 30_000);

function end(reason: string): never {
  console.error(reason);
  process.exit(1);
}
