import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_MODEL_PATH, readConfig } from '../../../model-server/src/config.ts';
import { type RunningServer, startServer } from '../../../model-server/src/server.ts';
import { documents, objects, read } from './files.ts';

const FILES = readdirSync(fileURLToPath(new URL('../../../deploy', import.meta.url)), {
  recursive: true,
  encoding: 'utf8',
})
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => `deploy/${name.replaceAll('\\', '/')}`);
const ALL = FILES.flatMap((file) => objects(documents(file)));
const COMPOSE = ALL.find((each) => 'services' in each)?.['services'];
const SERVICES = objects(COMPOSE).filter((each) => 'healthcheck' in each);
const DEPLOYMENTS = ALL.filter((each) => each['kind'] === 'Deployment' && hasSelector(each));
const CONTAINERS = objects(DEPLOYMENTS).filter((each) => 'image' in each);
const FULL = new Set(['model-server', 'vllm']);

/** A patch of an overlay has no selector. */
function hasSelector(deployment: Record<string, unknown>): boolean {
  return objects(deployment['spec'])[0]?.['selector'] !== undefined;
}

const text = (value: unknown) => (typeof value === 'string' ? value : '');

/** Variables of our server in all files: compose mappings, and Kubernetes lists with ours in front. */
function variables(): Map<string, string> {
  const ours = /^(PORT|HOST|MODEL_\w+|ENGINE_\w+)$/;
  const fromCompose = SERVICES.flatMap((each) =>
    Object.entries(objects(each['environment'])[0] ?? {}),
  );
  const fromKubernetes = ALL.filter(
    (each) => 'name' in each && ('value' in each || 'valueFrom' in each),
  ).map((each): [string, unknown] => [text(each['name']), each['value'] ?? 'from-a-secret']);
  return new Map(
    [...fromCompose, ...fromKubernetes].flatMap(([name, value]) =>
      ours.test(name) ? [[name, text(value)] as const] : [],
    ),
  );
}

describe('the deployment files', () => {
  it('are all YAML and describe both deployments and the compose services', () => {
    expect(FILES.length).toBeGreaterThan(12);
    expect(DEPLOYMENTS).toHaveLength(FULL.size);
    expect(SERVICES).toHaveLength(4);
  });

  it('name images with a fixed tag', () => {
    const images = ALL.flatMap((each) => [
      ...('image' in each ? [text(each['image'])] : []),
      ...('newTag' in each ? [`x:${text(each['newTag'])}`] : []),
    ]).filter((image) => image !== 'attune-model-server'); // its tag is given by kustomize
    expect(images.length).toBeGreaterThan(5);
    for (const image of images) expect(image).toMatch(/:v?\d+\.\d+\.\d+(-cpu|-cuda)?$/);
  });

  it('set only variables that the server reads', () => {
    const remote = { MODEL_ENGINE: 'openai-completions', ENGINE_URL: 'http://127.0.0.1:9' };
    const names = [...variables().keys()];
    expect(names).toEqual(expect.arrayContaining(['MODEL_SEQUENCES', 'ENGINE_URL', 'MODEL_GPU']));
    for (const name of names) {
      // Nonsense is either refused by name or handed on; a variable that nobody reads does neither.
      const config = readConfig({ ...remote, [name]: 'http://nonsense' });
      const reads =
        JSON.stringify(config).includes(name) || JSON.stringify(config).includes('nonsense');
      expect(reads, name).toBe(true);
    }
  });

  it('set values that the server accepts', () => {
    expect(readConfig(Object.fromEntries(variables()))).toMatchObject({ ok: true });
  });

  it('hold no secret: tokens come from Secrets and from files that git ignores', () => {
    expect(read('deploy/.gitignore')).toContain('*.env');
    for (const file of ['deploy/model-server.env.example', 'deploy/vllm.env.example']) {
      expect(read(file)).toMatch(/_(TOKEN|KEY)=\n/);
      expect(read(file)).not.toMatch(/_(TOKEN|KEY)=\S/);
    }
    const tokens = ALL.filter(
      (each) => /(TOKEN|KEY)$/.test(text(each['name'])) && !('key' in each),
    );
    expect(tokens.length).toBeGreaterThan(2);
    for (const token of tokens) expect(token).toHaveProperty('valueFrom.secretKeyRef.name');
  });
});

describe('every container', () => {
  it('of Kubernetes is not root, cannot gain rights and cannot write its root', () => {
    expect(CONTAINERS).toHaveLength(FULL.size);
    for (const container of CONTAINERS) {
      expect(container['securityContext']).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    }
    for (const deployment of DEPLOYMENTS) {
      expect(deployment).toHaveProperty('spec.template.spec.securityContext.runAsNonRoot', true);
      expect(deployment).toHaveProperty('spec.template.spec.securityContext.runAsUser', 10_001);
      expect(deployment).toHaveProperty(
        'spec.template.spec.securityContext.seccompProfile.type',
        'RuntimeDefault',
      );
      expect(deployment).toHaveProperty('spec.template.spec.automountServiceAccountToken', false);
    }
  });

  it('of compose is the same', () => {
    for (const service of SERVICES) {
      expect(service).toMatchObject({
        user: '10001:10001',
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
    }
  });

  it('has time to let running replies finish', () => {
    const asked = Number(variables().get('MODEL_SHUTDOWN_MS'));
    const [ours] = DEPLOYMENTS.filter((each) => JSON.stringify(each).includes('MODEL_SHUTDOWN_MS'));
    const grace = Number(
      objects(ours).find((each) => 'containers' in each)?.['terminationGracePeriodSeconds'],
    );
    const sleep = Number(objects(ours).find((each) => 'seconds' in each)?.['seconds']);
    expect(asked).toBeGreaterThan(0);
    expect(grace * 1_000).toBeGreaterThan(sleep * 1_000 + asked + 1_000);
  });
});

describe('what the files ask of the server', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer({ modelPath: DEFAULT_MODEL_PATH, port: 0, threads: 1, token: 'x' });
  });
  afterAll(() => server.close());

  const ask = (path: string) =>
    fetch(`${server.url}${path}`, { headers: { authorization: 'Bearer x' } });

  it('is there: the paths of probes and health checks', async () => {
    const [ours] = CONTAINERS.filter((each) => each['name'] === 'model-server');
    const probed = objects(ours).flatMap((each) => ('path' in each ? [text(each['path'])] : []));
    expect(new Set(probed)).toEqual(new Set(['/healthz', '/readyz']));
    const checked = [read('deploy/compose.yaml'), read('model-server/Dockerfile')].flatMap((file) =>
      [...file.matchAll(/(?:8788|PORT\})(\/\w+)/g)].flatMap((match) => match[1] ?? []),
    );
    expect(checked.length).toBeGreaterThan(2);
    for (const path of [...probed, ...checked]) expect((await ask(path)).status, path).toBe(200);
  });

  it('is there: the metric that the autoscaler and the adapter name', async () => {
    const metrics = await (await ask('/metrics')).text();
    const scaler = ALL.filter((each) => each['kind'] === 'HorizontalPodAutoscaler');
    const names = objects(scaler)
      .filter((each) => 'metric' in each)
      .map((each) => text(objects(each['metric'])[0]?.['name']));
    expect(names.sort()).toEqual(['attune_queue_waiting', 'vllm_num_requests_waiting']);
    expect(metrics).toMatch(/^attune_queue_waiting \d+$/m);
    const rules = read('deploy/kubernetes/monitoring/adapter-values.yaml');
    for (const name of names) expect(rules).toContain(`as: ${name}`);
  });

  it('is there: the port that the Service, the Deployment and the image name', () => {
    const [ours] = CONTAINERS.filter((each) => each['name'] === 'model-server');
    expect(ours).toHaveProperty('ports', [{ name: 'http', containerPort: 8_788 }]);
    expect(variables().get('PORT')).toBe('8788');
    const services = ALL.filter((each) => each['kind'] === 'Service');
    expect(services).toHaveLength(2);
    for (const service of services) {
      expect(service).toHaveProperty('spec.ports', [
        { name: 'http', port: 80, targetPort: 'http' },
      ]);
    }
  });
});
