import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../model-server/src/config.ts';
import { environment, read, stages } from './files.ts';

const STAGES = stages(read('model-server/Dockerfile'));
const stage = (name: string) => STAGES.get(name) ?? [];
const values = (name: string, instruction: string) =>
  stage(name).flatMap((each) => (each.name === instruction ? [each.rest] : []));

describe('the image of the model server', () => {
  it('is built on images that are pinned by tag and digest', () => {
    const bases = values('', 'ARG').map((each) => each.replace(/^\w+=/, ''));
    expect(bases).toHaveLength(2);
    for (const base of bases) expect(base).toMatch(/^[\w/]+:\d[\w.-]+@sha256:[0-9a-f]{64}$/);
    const froms = [...STAGES.keys()].flatMap((name) => values(name, 'FROM'));
    expect(froms.length).toBeGreaterThan(4);
    for (const from of froms) {
      expect(from).toMatch(/^(\$\{(NODE|CUDA)_IMAGE\}|dependencies) AS /);
    }
  });

  describe.each(['cpu', 'cuda'])('%s', (name) => {
    it('runs as a numbered user that is not root', () => {
      expect(values(name, 'USER')).toEqual(['10001:10001']);
    });

    it('starts with an environment that the server accepts', () => {
      const config = readConfig({ ...environment(stage(name)), MODEL_SERVER_TOKEN: 'x' });
      expect(config).toMatchObject({ ok: true, value: { host: '0.0.0.0', port: 8788 } });
      expect(values(name, 'EXPOSE')).toEqual(['8788']);
    });

    it('has a home that can be written: node-llama-cpp asks for one when it is imported', () => {
      expect(environment(stage(name))['HOME']).toBe('/tmp');
    });

    it('keeps Node as the process that is told to stop', () => {
      expect(values(name, 'ENTRYPOINT')).toEqual(['["node", "model-server/src/main.ts"]']);
      expect(values(name, 'STOPSIGNAL')).toEqual(['SIGTERM']);
    });

    it('names the licences of the code and of the weights', () => {
      const labels = values(name, 'LABEL').join(' ');
      expect(labels).toContain('image.licenses="Apache-2.0 AND CC-BY-NC-4.0"');
    });
  });

  it('takes the GPU only in the CUDA target', () => {
    expect(readConfig(environment(stage('cuda')))).toMatchObject({ value: { gpu: 'auto' } });
    expect(readConfig(environment(stage('cpu')))).not.toMatchObject({ value: { gpu: 'auto' } });
  });

  it('copies nothing that the build context leaves out', () => {
    const allowed = read('.dockerignore')
      .split('\n')
      .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []));
    const copied = [...STAGES.keys()]
      .flatMap((name) => values(name, 'COPY'))
      .filter((rest) => !rest.startsWith('--from='))
      .flatMap((rest) => rest.split(/\s+/).slice(0, -1));
    expect(copied.length).toBeGreaterThan(5);
    for (const path of copied) expect(allowed).toContain(path);
  });

  it('has the CUDA binaries of the version that the server uses', () => {
    const wanted: unknown = JSON.parse(read('model-server/package.json'));
    const cuda: unknown = JSON.parse(read('deploy/cuda/package.json'));
    const locked: unknown = JSON.parse(read('deploy/cuda/package-lock.json'));
    const version = /"node-llama-cpp":"([\d.]+)"/.exec(JSON.stringify(wanted))?.[1];
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    const packages = ['@node-llama-cpp/linux-x64-cuda', '@node-llama-cpp/linux-x64-cuda-ext'];
    expect(cuda).toMatchObject({
      dependencies: Object.fromEntries(packages.map((name) => [name, version])),
    });
    for (const name of packages) {
      expect(locked).toHaveProperty(['packages', `node_modules/${name}`, 'version'], version);
      expect(locked).toHaveProperty(['packages', `node_modules/${name}`, 'integrity']);
    }
  });
});
