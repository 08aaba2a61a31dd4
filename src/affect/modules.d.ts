/** What wrangler's module rules make of a file (wrangler.toml, `rules`). */
declare module '*.onnx' {
  /** The bytes of the file; one buffer per isolate, never to be transferred. */
  const bytes: ArrayBuffer;
  export default bytes;
}

declare module '*.wasm' {
  /** Compiled ahead by workerd: a Worker may not compile wasm itself. */
  const module: WebAssembly.Module;
  export default module;
}
