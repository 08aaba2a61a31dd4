/**
 * The first half of a turn, in the Worker: rules on the full text, validation, limits, admission,
 * classification. The second half is session.ts, in the session's Durable Object.
 *
 * The order matters: the rules run before anything may refuse, so that a disclosure is answered
 * under a full rate limit, a running turn or an over-long text.
 */
import { z } from '@hono/zod-openapi';
import type { Caller } from '../access/authenticate.ts';
import { withinLimit } from '../access/limit.ts';
import { classify } from '../affect/index.ts';
import type { DialogueTurn, Reading } from '../affect/types.ts';
import type { Env } from '../env.ts';
import type { Failure } from '../http/failure.ts';
import { validate } from '../intake/body.ts';
import { type SendMessage, sendMessage } from '../intake/schemas.ts';
import { fail, ok, type Result } from '../result.ts';
import { gate, safetyResourcesForError } from '../safety/index.ts';
import { isSessionId } from '../session/ids.ts';

export interface EdgeTurn {
  readonly env: Env;
  readonly caller: Caller;
  readonly sessionId: string;
  readonly body: unknown;
  readonly requestId: string;
  /** Region shown when the session is unknown. */
  readonly region: string;
}

export interface OpenedTurn {
  readonly stream: boolean;
  /** Server-sent events of the turn. */
  readonly frames: ReadableStream<Uint8Array>;
}

const anyText = z.looseObject({ text: z.string(), stream: z.unknown().optional() });

/** Take one message through the edge. A failure means that nothing was stored. */
export async function openTurn(turn: EdgeTurn): Promise<Result<OpenedTurn, Failure>> {
  const request = judgeAndValidate(turn.body);
  if (!request.ok) return request;
  const { message, urgent } = request.value;
  if (!urgent) {
    const allowed = await withinLimit(turn.caller, turn.env);
    if (!allowed.ok) return allowed;
  }
  if (!isSessionId(turn.sessionId)) return fail(unknownSession(turn, urgent));
  const session = turn.env.SESSIONS.getByName(turn.sessionId);
  const admission = await session.admit({
    sessionId: turn.sessionId,
    text: message.text,
    urgent,
    onConflict: message.on_conflict,
  });
  if (admission.kind !== 'admitted') {
    return fail(
      admission.kind === 'turn_in_progress'
        ? { kind: 'turn_in_progress' }
        : unknownSession(turn, urgent),
    );
  }
  const understood = urgent
    ? { affect: null, ms: null }
    : await understand([...admission.history, { role: 'user', text: message.text }]);
  const run = await session.run({
    n: admission.n,
    affect: understood.affect,
    affectMs: understood.ms,
    requestId: turn.requestId,
  });
  switch (run.kind) {
    case 'stream':
      return ok({ stream: message.stream, frames: run.frames });
    case 'model_busy':
      return fail({ kind: 'model_busy', retry_after: run.retry_after });
    case 'turn_not_found':
      return fail({ kind: 'internal' });
  }
}

/** A disclosure passes whatever else is wrong with its message; anything else must be valid. */
function judgeAndValidate(
  body: unknown,
): Result<{ message: SendMessage; urgent: boolean }, Failure> {
  const readable = anyText.safeParse(body);
  const urgent =
    readable.success && gate({ history: [], text: readable.data.text }).route === 'crisis';
  const valid = validate(sendMessage, body);
  if (valid.ok) return ok({ message: valid.value, urgent });
  if (!readable.success || !urgent) return valid;
  const text = readable.data.text.toWellFormed();
  const stream = readable.data.stream !== false;
  return ok({ message: { text, stream, on_conflict: 'queue' }, urgent });
}

function unknownSession(turn: EdgeTurn, urgent: boolean): Failure {
  if (!urgent) return { kind: 'session_not_found' };
  const resources = safetyResourcesForError({ region: turn.region, locale: null });
  return { kind: 'session_not_found', resources };
}

/** A classifier that cannot be loaded costs the turn its emotion, never its answer. */
async function understand(
  turns: readonly DialogueTurn[],
): Promise<{ affect: Reading | null; ms: number }> {
  const started = Date.now();
  const result = await classify(turns);
  if (!result.ok) console.error('affect unavailable', result.code);
  return { affect: result.ok ? result.affect : null, ms: Date.now() - started };
}
