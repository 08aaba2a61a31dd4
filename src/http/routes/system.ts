/** Health, help and the OpenAPI document: open to everyone. */
import type { OpenAPIHono } from '@hono/zod-openapi';
import { affectReady } from '../../affect/index.ts';
import { helpPage } from '../../safety/index.ts';
import type { AppEnv } from '../context.ts';
import { failureResponse } from '../failure.ts';
import { regionOf } from '../region.ts';

/** The model server answers `/readyz` with one generated token; on a busy CPU that takes a while. */
const READY_MS = 5_000;

export function registerSystem(app: OpenAPIHono<AppEnv>): void {
  app.get('/healthz', (c) => c.json({ status: 'ok' }));

  app.get('/readyz', async (c) => {
    const [affect, model] = await Promise.all([affectReady(), modelReady(c.env.MODEL_SERVER_URL)]);
    const checks = { affect: affect.ok, model_server: model };
    const ready = checks.affect && checks.model_server;
    return c.json({ status: ready ? 'ready' : 'not_ready', checks }, ready ? 200 : 503);
  });

  app.get('/help', (c) => {
    const asked = c.req.query('region');
    const explicit =
      asked !== undefined && /^[A-Za-z]{2}$/.test(asked) ? asked.toUpperCase() : undefined;
    const region = regionOf(c.req.raw, c.env, explicit);
    return c.json(helpPage({ region, locale: c.req.query('locale') ?? null }));
  });

  app.get('/demo-key', (c) => {
    const host = new URL(c.req.url).hostname;
    const loopback = ['127.0.0.1', 'localhost', '[::1]'].includes(host);
    // The host check keeps a rebound DNS name from reading the key of a local deployment.
    if (c.env.ENVIRONMENT !== 'local' || c.env.DEMO_KEY === undefined || !loopback) {
      return failureResponse({ kind: 'route_not_found' }, c.get('requestId'));
    }
    return c.json({ key: c.env.DEMO_KEY }, 200, { 'cache-control': 'no-store' });
  });

  app.doc31('/openapi.json', {
    openapi: '3.1.0',
    info: {
      title: 'Attune',
      version: '0.1.0',
      description: 'An open empathetic-conversation service. Not a medical device.',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    security: [{ apiKey: [] }],
  });
  app.openAPIRegistry.registerComponent('securitySchemes', 'apiKey', {
    type: 'http',
    scheme: 'bearer',
  });
}

async function modelReady(baseUrl: string): Promise<boolean> {
  try {
    const response = await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(READY_MS) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
