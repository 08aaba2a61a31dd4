/** Every failure a client can see before a stream begins, and its wire form (OpenAI's error shape). */

/** One expected failure of a request. Messages name parameters and limits, never texts. */
export type Failure =
  | { readonly kind: 'malformed_body'; readonly message: string }
  | { readonly kind: 'body_too_large' }
  | { readonly kind: 'ill_formed_unicode'; readonly param: string; readonly offset: number }
  | { readonly kind: 'invalid_value'; readonly param: string; readonly message: string }
  | { readonly kind: 'unsupported_parameter'; readonly param: string; readonly message: string }
  | { readonly kind: 'not_supported'; readonly param: string | null; readonly message: string }
  | { readonly kind: 'context_length_exceeded'; readonly param: string; readonly message: string }
  | { readonly kind: 'model_not_found'; readonly available: string }
  | { readonly kind: 'unauthorized' }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'queue_full'; readonly retryAfter: number }
  | { readonly kind: 'engine_unavailable'; readonly retryAfter: number }
  | { readonly kind: 'loading' }
  | { readonly kind: 'shutting_down' }
  | { readonly kind: 'client_gone' }
  | { readonly kind: 'internal' };

/** OpenAI's error object, with the offset of a bad character where there is one. */
export interface ErrorBody {
  readonly error: {
    readonly message: string;
    readonly type: string;
    readonly param: string | null;
    readonly code: string;
    /** UTF-16 offset inside the string at `param`. */
    readonly offset?: number;
  };
}

type Wire = {
  readonly status: 400 | 401 | 404 | 413 | 429 | 499 | 500 | 501 | 503;
  readonly message: string;
  readonly param?: string;
  readonly retryAfter?: number;
  readonly offset?: number;
};

/** A client that waits for loading or for a restart need not wait long. */
const UNAVAILABLE_RETRY_SECONDS = 2;

/** Map a failure to status and words. */
export function toWire(failure: Failure): Wire {
  switch (failure.kind) {
    case 'malformed_body':
      return { status: 400, message: failure.message };
    case 'body_too_large':
      return { status: 413, message: 'The request body is larger than 1 MiB.' };
    case 'ill_formed_unicode':
      return {
        status: 400,
        message: `${failure.param} has a lone surrogate at UTF-16 offset ${failure.offset}.`,
        param: failure.param,
        offset: failure.offset,
      };
    case 'invalid_value':
    case 'unsupported_parameter':
    case 'context_length_exceeded':
      return { status: 400, message: failure.message, param: failure.param };
    case 'not_supported':
      return {
        status: 501,
        message: failure.message,
        ...(failure.param === null ? {} : { param: failure.param }),
      };
    case 'model_not_found':
      return {
        status: 404,
        message: `This server has the model ${failure.available}.`,
        param: 'model',
      };
    case 'unauthorized':
      return { status: 401, message: 'A valid bearer token is needed: Authorization: Bearer …' };
    case 'not_found':
      return { status: 404, message: 'No such route.' };
    case 'queue_full':
      return {
        status: 429,
        message: 'All sequences are busy and the queue is full.',
        retryAfter: failure.retryAfter,
      };
    case 'engine_unavailable':
      return {
        status: 503,
        message: 'The engine behind this server cannot be reached.',
        retryAfter: failure.retryAfter,
      };
    case 'loading':
      return {
        status: 503,
        message: 'The model is being loaded.',
        retryAfter: UNAVAILABLE_RETRY_SECONDS,
      };
    case 'shutting_down':
      return {
        status: 503,
        message: 'The server is shutting down.',
        retryAfter: UNAVAILABLE_RETRY_SECONDS,
      };
    case 'client_gone':
      return { status: 499, message: 'The client left.' };
    case 'internal':
      return { status: 500, message: 'The engine failed.' };
  }
}

/** The JSON of a failure; also what a stream carries after it began (cases S08 and S09). */
export function errorBody(failure: Failure): ErrorBody {
  const { status, message, param, offset } = toWire(failure);
  return {
    error: {
      message,
      type:
        status >= 500
          ? 'server_error'
          : status === 429
            ? 'rate_limit_error'
            : 'invalid_request_error',
      param: param ?? null,
      code: failure.kind,
      ...(offset === undefined ? {} : { offset }),
    },
  };
}

/** The response of a failure. */
export function errorResponse(failure: Failure): Response {
  const { status, retryAfter } = toWire(failure);
  return Response.json(errorBody(failure), {
    status,
    headers: {
      ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
      ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
      // The rest of the body is still on its way: the connection cannot be used again.
      ...(status === 413 ? { connection: 'close' } : {}),
    },
  });
}
