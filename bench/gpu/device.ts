/** Prints as JSON what llama.cpp would run on, with `MODEL_GPU` as the server reads it. */
import { getLlama, LlamaLogLevel } from 'node-llama-cpp';
import { usedMemoryMib } from './memory.ts';

const llama = await getLlama({
  gpu: process.env['MODEL_GPU'] === 'auto' ? 'auto' : false,
  build: 'never',
  skipDownload: true,
  progressLogs: false,
  logLevel: LlamaLogLevel.error,
});
const { gpu } = llama;
const names = gpu === false ? [] : await llama.getGpuDeviceNames();
await llama.dispose();
console.log(JSON.stringify({ gpu, names, used_mib_before: await usedMemoryMib() }));
