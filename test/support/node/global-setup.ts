/** Starts the real model server, with the committed weights, for the tests that run in workerd. */
import { createHash, randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { startServer } from '../../../model-server/src/server.ts';
import { startFaultProxy } from './fault-proxy.ts';

const MODEL =
  process.env['ATTUNE_TEST_MODEL'] ??
  fileURLToPath(new URL('../../../model-server/models/attune-135m', import.meta.url));

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const token = randomBytes(16).toString('hex');
  const apiKey = randomBytes(16).toString('hex');
  const server = await startServer({ port: 0, modelPath: MODEL, token });
  const proxy = await startFaultProxy(server.url);
  project.provide('modelServerUrl', proxy.url);
  project.provide('modelServerToken', token);
  project.provide('apiKey', apiKey);
  project.provide('apiKeySha256', createHash('sha256').update(apiKey).digest('hex'));
  return async function teardown() {
    await proxy.close();
    await server.close();
  };
}
