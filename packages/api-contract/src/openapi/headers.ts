import { MAX_REQUEST_ID, REQUEST_ID } from "../limits.ts";
import type { HeaderObject, Reference, Schema } from "./types.ts";

const count: Schema = { type: "integer", format: "int32", minimum: 0, maximum: 2_147_483_647 };
const seconds: Schema = { type: "integer", format: "int64", minimum: 0, maximum: 253_402_300_799 };

/** Headers of answers. `required`: an answer that is described with this header always has it. */
export const headers = {
  "X-Request-Id": {
    description: "Identifies the request: the one that was sent along where it was fit to be, else a new one.",
    required: true,
    schema: { type: "string", pattern: REQUEST_ID.source, maxLength: MAX_REQUEST_ID },
  },
  "Service-Version": {
    description: "The version of the API the answer is shaped by.",
    required: true,
    schema: { type: "string", format: "date", maxLength: 10 },
  },
  "X-RateLimit-Limit": { description: "Requests allowed per minute.", required: true, schema: count },
  "X-RateLimit-Remaining": { description: "Requests left in the current minute.", required: true, schema: count },
  "X-RateLimit-Reset": {
    description: "When the next minute begins, in Unix seconds.",
    required: true,
    schema: seconds,
  },
  "Retry-After": {
    description: "Seconds to wait before asking again.",
    required: true,
    schema: { ...count, minimum: 1 },
  },
  "Idempotent-Replayed": {
    description: "`true` where this is the first answer to the same Idempotency-Key, once more.",
    required: false,
    schema: { type: "string", enum: ["true"] },
  },
  ETag: {
    description: "Changes with the answer's body; goes into `If-None-Match`.",
    required: true,
    schema: { type: "string", maxLength: 128, pattern: '^"[^"]*"$' },
  },
  "WWW-Authenticate": {
    description: "Which credential is needed, and what is wrong with the one that was sent.",
    required: true,
    schema: { type: "string", maxLength: 512 },
  },
  "Cache-Control": {
    description: "Whether and how the answer may be kept.",
    required: true,
    schema: { type: "string", maxLength: 128 },
  },
  "X-Content-Type-Options": {
    description: "Keeps browsers from guessing another type than the answer's.",
    required: true,
    schema: { type: "string", enum: ["nosniff"] },
  },
  Pragma: {
    description: "The same for caches of the last century.",
    required: true,
    schema: { type: "string", enum: ["no-cache"] },
  },
  "Content-Disposition": {
    description: "The file name to save a file as; not with JSON.",
    required: false,
    schema: { type: "string", maxLength: 512 },
  },
  "Flight-Status": {
    description:
      "`cancelled` where the carrier has cancelled the flight, `retimed` where it has given it other times; not with one that flies as it was scheduled.",
    required: false,
    schema: { type: "string", enum: ["cancelled", "retimed"] },
  },
  "Boarding-Pass-Revision": {
    description:
      "Grows with each change of seats, cabin or departure. A pass that was issued under a lower one is not valid any more.",
    required: false,
    schema: { ...count, minimum: 1 },
  },
  Deprecation: {
    description: "Since when the operation is deprecated: `@` and Unix seconds (RFC 9745).",
    required: true,
    schema: { type: "string", pattern: "^@\\d+$", maxLength: 20 },
  },
  Sunset: {
    description: "From when on the operation may be gone: an HTTP date (RFC 8594).",
    required: true,
    schema: { type: "string", maxLength: 29 },
  },
  Link: {
    description: 'What replaces the operation: a link with `rel="successor-version"` (RFC 5829).',
    required: true,
    schema: { type: "string", maxLength: 512 },
  },
} satisfies Record<string, HeaderObject>;

export type HeaderName = keyof typeof headers;

/** Every answer has these headers. */
export const COMMON_HEADERS = ["X-Request-Id", "Cache-Control", "X-Content-Type-Options"] as const;

export const RATE_LIMIT_HEADERS = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"] as const;

/** Components for the headers that answers always have. The other headers are described at each answer. */
export function sharedHeaders({ rateLimited }: { readonly rateLimited: boolean }): Record<string, HeaderObject> {
  const sometimes: readonly string[] = rateLimited ? [] : RATE_LIMIT_HEADERS;
  return Object.fromEntries(
    Object.entries(headers).filter(([name, { required }]) => required && !sometimes.includes(name)),
  );
}

/** The headers of one answer. It may lack the headers of `sometimes`. */
export function headersOf(
  always: readonly HeaderName[],
  sometimes: readonly HeaderName[],
): Record<string, HeaderObject | Reference> {
  return Object.fromEntries([
    ...always.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
    ...sometimes.map((name) => [name, { ...headers[name], required: false }]),
  ]);
}

/** `Service-Error-Code` of an answer with one of these codes. */
export function errorCodeHeader(codes: readonly string[]): HeaderObject {
  return {
    description: "Why, for programs: the same reason has the same code for good.",
    required: true,
    schema: { type: "string", enum: [...codes] },
  };
}
