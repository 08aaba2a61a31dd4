/**
 * How much linear memory WebAssembly has taken in this isolate. onnxruntime makes its own and shows it
 * to nobody, so importing this module keeps every memory that is made afterwards in view.
 */
const memories: WebAssembly.Memory[] = [];
const NativeMemory = WebAssembly.Memory;
Reflect.set(
  WebAssembly,
  'Memory',
  class extends NativeMemory {
    constructor(descriptor: WebAssembly.MemoryDescriptor) {
      super(descriptor);
      memories.push(this);
    }
  },
);

/** Bytes of all of them. */
export function linearMemoryBytes(): number {
  return memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
}
