/** `/readyz`: a proof, one real token, and not that a port is open. */
import { MIN_RETRY_SECONDS, READY_PROOF_MS } from '../constants.ts';
import type { Engine } from '../engine/types.ts';
import { engineOf, enterQueue, failureOf, type ServerContext } from './context.ts';
import { type Failure, toWire } from './failures.ts';

/**
 * A readiness check. Callers share a running proof, and a good one holds for two seconds, because
 * the route is open to everyone.
 */
export function readiness(context: ServerContext): () => Promise<Response> {
  let provenAt = Number.NEGATIVE_INFINITY;
  let running: Promise<Failure | null> | null = null;
  return async function ready() {
    const engine = engineOf(context);
    if (!engine.ok) return answer(engine.failure);
    if (context.now() - provenAt < READY_PROOF_MS) return answer(null);
    running ??= oneToken(context, engine.value).finally(() => {
      running = null;
    });
    const failure = await running;
    if (failure === null) provenAt = context.now();
    return answer(failure);
  };
}

function answer(failure: Failure | null): Response {
  if (failure === null) return Response.json({ status: 'ready' });
  return Response.json(
    { status: 'unavailable', reason: failure.kind, message: toWire(failure).message },
    { status: 503, headers: { 'retry-after': String(MIN_RETRY_SECONDS) } },
  );
}

/** The persona alone is the prompt: its state stays useful for the conversations that follow. */
async function oneToken(context: ServerContext, engine: Engine): Promise<Failure | null> {
  const conversation = { persona: engine.info.persona, turns: [], emotion: null };
  const prompt = engine.prepare(conversation, 1);
  if (!prompt.ok) return { kind: 'internal' };
  // The proof is shared, so no single client's leaving may end it.
  const admission = enterQueue(context, new AbortController().signal);
  if (!admission.ok) return admission.failure;
  const { run, admitted, leave } = admission.value;
  try {
    const refused = await admitted;
    if (refused !== null) return refused;
    const request = {
      sampling: {
        temperature: 0,
        topP: 1,
        minP: 0,
        frequencyPenalty: 0,
        presencePenalty: 0,
        repeatPenalty: 1,
        seed: 0,
      },
      maxTokens: 1,
      stop: [],
      intent: 'any',
      intentBias: {},
      deterministic: false,
    } as const;
    let tokens = 0;
    for await (const event of engine.generate(prompt.value, request, run.signal)) {
      if (event.type === 'token') tokens++;
    }
    return tokens === 1 ? null : { kind: 'internal' };
  } catch (error) {
    return failureOf(context, run, error);
  } finally {
    leave();
  }
}
