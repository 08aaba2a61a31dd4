/**
 * Expected failures as one tagged union, and the one switch that turns them into wire errors.
 * The client is told what to change; never an exception's text and never what was sent.
 */
import type { Resource } from '../safety/index.ts';

export type Failure =
  | { readonly kind: 'invalid_json' }
  | { readonly kind: 'invalid_request'; readonly message: string; readonly param?: string }
  | { readonly kind: 'unsupported_parameter'; readonly param: string }
  | { readonly kind: 'body_too_large'; readonly limit_bytes: number }
  | { readonly kind: 'unsupported_media_type' }
  | { readonly kind: 'unauthorized'; readonly reason: 'missing' | 'invalid' }
  | { readonly kind: 'not_configured' }
  | {
      readonly kind: 'session_not_found';
      /** Services for a person whose message could not be tied to a session. */
      readonly resources?: readonly Resource[];
    }
  | { readonly kind: 'turn_not_found' }
  | { readonly kind: 'route_not_found' }
  | { readonly kind: 'turn_in_progress' }
  | { readonly kind: 'rate_limited'; readonly retry_after: number }
  | { readonly kind: 'model_busy'; readonly retry_after: number }
  | { readonly kind: 'model_unavailable' }
  | { readonly kind: 'ranking_not_supported' }
  | { readonly kind: 'candidate_too_long'; readonly param: string }
  | { readonly kind: 'affect_unavailable' }
  | { readonly kind: 'internal' };

interface Wire {
  readonly status: 400 | 401 | 404 | 409 | 413 | 415 | 429 | 500 | 501 | 503;
  readonly message: string;
  readonly param?: string;
  readonly retry_after?: number;
  readonly resources?: readonly Resource[];
}

/** A restart of the model server takes a few seconds. */
const UNAVAILABLE_RETRY_SECONDS = 5;

function wireOf(failure: Failure): Wire {
  switch (failure.kind) {
    case 'invalid_json':
      return { status: 400, message: 'The body is not valid JSON.' };
    case 'invalid_request':
      return failure.param === undefined
        ? { status: 400, message: failure.message }
        : { status: 400, message: failure.message, param: failure.param };
    case 'unsupported_parameter':
      return {
        status: 400,
        message: `The parameter "${failure.param}" is not supported here.`,
        param: failure.param,
      };
    case 'body_too_large':
      return {
        status: 413,
        message: `The body is larger than ${failure.limit_bytes} bytes and was not read. If you or someone else is in danger, GET /help lists people who can help now.`,
      };
    case 'unsupported_media_type':
      return { status: 415, message: 'Send the body as application/json.' };
    case 'unauthorized':
      return {
        status: 401,
        message:
          failure.reason === 'missing'
            ? 'Send your API key as "Authorization: Bearer <key>".'
            : 'The API key is not valid.',
      };
    case 'not_configured':
      return { status: 503, message: 'No API key is configured on this deployment.' };
    case 'session_not_found':
      return {
        status: 404,
        message: 'No such session. It may have expired or been erased.',
        ...(failure.resources ? { resources: failure.resources } : {}),
      };
    case 'turn_not_found':
      return { status: 404, message: 'No such turn in this session.' };
    case 'route_not_found':
      return { status: 404, message: 'No such route. GET /openapi.json lists them.' };
    case 'turn_in_progress':
      return {
        status: 409,
        message: 'Another message of this session is being answered.',
        retry_after: 1,
      };
    case 'rate_limited':
      return {
        status: 429,
        message: 'Too many requests with this key.',
        retry_after: failure.retry_after,
      };
    case 'model_busy':
      return {
        status: 429,
        message: 'The model server is at capacity; nothing was stored. Try again.',
        retry_after: failure.retry_after,
      };
    case 'model_unavailable':
      return {
        status: 503,
        message: 'The model server cannot be reached.',
        retry_after: UNAVAILABLE_RETRY_SECONDS,
      };
    case 'ranking_not_supported':
      return { status: 501, message: 'The model server of this deployment cannot rank.' };
    case 'candidate_too_long':
      return {
        status: 400,
        message: `${failure.param} has more tokens than the model takes.`,
        param: failure.param,
      };
    case 'affect_unavailable':
      return { status: 503, message: 'The emotion classifier could not be loaded.' };
    case 'internal':
      return { status: 500, message: 'Something went wrong on our side.' };
  }
}

/** The error response of a failure: `{error:{code, message, param?, request_id}}`. */
export function failureResponse(failure: Failure, requestId: string): Response {
  const wire = wireOf(failure);
  const body = {
    error: {
      code: failure.kind,
      message: wire.message,
      ...(wire.param === undefined ? {} : { param: wire.param }),
      request_id: requestId,
    },
    ...(wire.resources === undefined ? {} : { resources: wire.resources }),
  };
  return Response.json(body, {
    status: wire.status,
    headers: {
      ...(wire.retry_after === undefined ? {} : { 'retry-after': String(wire.retry_after) }),
      ...(wire.status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    },
  });
}
