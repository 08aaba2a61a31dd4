import { cloudflareTest } from '@cloudflare/vitest-pool-workers';
import { defineConfig } from 'vitest/config';

/** Importing ONNX Runtime and its model costs seconds, so the files share one isolate. */
const worker = defineConfig({
  plugins: [
    cloudflareTest(({ inject }) => ({
      wrangler: { configPath: './wrangler.toml' },
      miniflare: {
        // No look-up of the `cf` object over the network.
        cf: false,
        bindings: {
          MODEL_SERVER_URL: inject('modelServerUrl'),
          MODEL_SERVER_TOKEN: inject('modelServerToken'),
          API_KEY_SHA256: inject('apiKeySha256'),
        },
      },
    })),
  ],
  test: {
    name: 'worker',
    include: ['test/**/*.test.ts'],
    exclude: ['test/node/**', 'test/browser/**'],
    globalSetup: './test/support/node/global-setup.ts',
    isolate: false,
    maxWorkers: 1,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});

const node = defineConfig({
  test: {
    name: 'node',
    include: [
      'model-server/test/**/*.test.ts',
      'test/node/**/*.test.ts',
      'test/browser/**/*.test.ts',
      'web/test/**/*.test.ts',
    ],
    environment: 'node',
    maxWorkers: 1,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});

export default defineConfig({ test: { projects: [worker, node] } });
