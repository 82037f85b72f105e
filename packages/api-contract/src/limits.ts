/** Limits of requests outside their bodies. Validation and the published document use the same numbers. */

/** Bytes of the head of a request: the request line and all headers. */
export const MAX_HEAD_BYTES = 16_384;
/** Characters of a header with free text. Two such headers and all others fit into a head. */
export const MAX_HEADER = 4_096;
/** Characters of an id in a path. */
export const MAX_ID = 200;
/** Characters of an `Idempotency-Key` (docs/rules.md#idempotency). */
export const MAX_IDEMPOTENCY_KEY = 255;
/** Characters of an `X-Request-Id` that the service keeps (docs/rules.md#errors). */
export const MAX_REQUEST_ID = 128;
export const REQUEST_ID = new RegExp(`^[A-Za-z0-9._-]{1,${MAX_REQUEST_ID}}$`);
