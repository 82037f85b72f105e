import { STATUS_CODES } from "node:http";
import { errorExample, oauthErrorExample } from "../examples/errors.ts";
import { examplesOf } from "../examples/examples.ts";
import type { Operation } from "../operation.ts";
import { errorResponseSchema, oauthErrorSchema } from "../resources/error.ts";
import { COMMON_HEADERS, type HeaderName, headersOf, RATE_LIMIT_HEADERS } from "./headers.ts";
import type { Schemas } from "./schemas.ts";
import type { Reference, ResponseObject, Schema } from "./types.ts";

const DEPRECATION_HEADERS = ["Deprecation", "Sunset", "Link"] as const;
/** Generators of clients know bytes by this, in spite of OpenAPI 3.1. */
const FILE: Schema = { type: "string", format: "binary", maxLength: 2_147_483_647, description: "The file." };
const JSON_TYPE = "application/json";

/** The errors of every endpoint (docs/rules.md#order-of-checks). */
const COMMON = {
  400: {
    name: "BadRequest",
    text: "A parameter, a header or the body is not as it must be; `message` has one entry per problem.",
  },
  401: { name: "Unauthorized", text: "There is no credential, or it is not valid." },
  403: {
    name: "Forbidden",
    text: "The credential lacks the scope, its account is suspended, or a quota of the account is reached.",
  },
  429: { name: "TooManyRequests", text: "More requests a minute than are allowed; wait `Retry-After` seconds." },
  500: {
    name: "InternalServerError",
    text: "The service failed. With `Retry-After` it may have carried out the request: what it began is finished or undone by itself, and the same Idempotency-Key gets the outcome.",
  },
  503: { name: "ServiceUnavailable", text: "Nothing was attempted; try again after `Retry-After` seconds." },
} as const;
type CommonStatus = keyof typeof COMMON;

const BUSY = "A request with the same Idempotency-Key is still being worked on.";
const REUSED = "The Idempotency-Key was already used with a different request.";

export interface ResponseOptions {
  readonly schemas: Schemas;
  /** False: no answer must have the headers of the rate limit. */
  readonly rateLimited: boolean;
}

/** By status. */
export function responsesOf(
  operation: Operation,
  options: ResponseOptions,
): Record<string, ResponseObject | Reference> {
  const answers: Record<string, ResponseObject | Reference> = {
    [operation.success.status]: success(operation, options),
  };
  if (operation.success.tagged === true) answers[304] = notModified(operation, options);
  for (const status of commonStatuses(operation)) answers[status] = common(status, operation, options);
  const own = Object.entries(operationErrors(operation));
  for (const [status, text] of own) answers[status] = error(Number(status), text, operation, options);
  return answers;
}

/** The components. */
export function sharedResponses(options: ResponseOptions): Record<string, ResponseObject> {
  return Object.fromEntries(
    Object.entries(COMMON).map(([status, { name, text }]) => [name, error(Number(status), text, undefined, options)]),
  );
}

function commonStatuses({ id, scope }: Operation): readonly CommonStatus[] {
  if (scope !== null) return [400, 401, 403, 429, 500, 503];
  return id === "exchangeToken" ? [429, 500, 503] : [400, 500, 503];
}

function common(status: CommonStatus, operation: Operation, options: ResponseOptions): ResponseObject | Reference {
  const { name, text } = COMMON[status];
  if (operation.deprecated === undefined) return { $ref: `#/components/responses/${name}` };
  return error(status, text, operation, options);
}

/** Adds the reasons to refuse an Idempotency-Key. */
function operationErrors({ errors = {}, idempotencyKey }: Operation): Readonly<Record<number, string>> {
  if (idempotencyKey === undefined) return errors;
  const both = (own: string | undefined, added: string) =>
    own === undefined ? added : own.includes("Idempotency-Key") ? own : `${own} ${added}`;
  return { ...errors, 409: both(errors[409], BUSY), 422: both(errors[422], REUSED) };
}

function success(operation: Operation, options: ResponseOptions): ResponseObject {
  const { body, files = [], tagged } = operation.success;
  const own: HeaderName[] = [];
  if (operation.id === "exchangeToken") own.push("Pragma");
  if (tagged === true) own.push("ETag");
  const sometimes = conditionalHeaders(operation, options);
  if (files.length > 0) sometimes.push("Content-Disposition");
  if (operation.idempotencyKey !== undefined) sometimes.push("Idempotent-Replayed");
  const headers = headersOf([...unconditionalHeaders(operation, options), ...own], sometimes);
  const description = successText(operation);
  if (body === null) return { description, headers };
  const examples = examplesOf(operation.id).answer;
  const content: ResponseObject["content"] = {
    [JSON_TYPE]: { schema: options.schemas.response(body), ...(examples !== undefined && { examples }) },
  };
  for (const type of files) content[type] = { schema: FILE };
  return { description, headers, content };
}

function successText({ success: { status, body } }: Operation): string {
  if (status === 204) return "It is done; the answer has no body.";
  if (status === 202) return "It is taken on; the answer has no body.";
  if (body === null) return "It is done.";
  return status === 201 ? "It has been made, and this is it." : "This is what was asked for.";
}

function notModified(operation: Operation, options: ResponseOptions): ResponseObject {
  const headers = headersOf(
    [...unconditionalHeaders(operation, options), "ETag"],
    conditionalHeaders(operation, options),
  );
  return { description: "The client has it already: `If-None-Match` names its entity tag.", headers };
}

function error(
  status: number,
  text: string,
  operation: Operation | undefined,
  { schemas, rateLimited }: ResponseOptions,
): ResponseObject {
  const isToken = operation?.id === "exchangeToken";
  const admitted = operation !== undefined && operation.scope !== null && ![400, 401, 429, 500, 503].includes(status);
  const always: HeaderName[] = [...COMMON_HEADERS];
  const sometimes: HeaderName[] = [];
  if (admitted) always.push("Service-Version");
  else sometimes.push("Service-Version");
  if (rateLimited) (admitted || isToken || status === 429 ? always : sometimes).push(...RATE_LIMIT_HEADERS);
  else sometimes.push(...RATE_LIMIT_HEADERS);
  if (status === 401) always.push("WWW-Authenticate");
  // A 400 has it if the request has two credentials (RFC 6750 §3.1).
  if (status === 403 || (status === 400 && !isToken)) sometimes.push("WWW-Authenticate");
  if (status === 429 || status === 503) always.push("Retry-After");
  if (status === 500 || (status === 409 && operation?.idempotencyKey !== undefined)) sometimes.push("Retry-After");
  if (operation?.idempotencyKey !== undefined && [404, 409, 422].includes(status))
    sometimes.push("Idempotent-Replayed");
  if (isToken && status < 402) always.push("Pragma");
  if (operation?.deprecated !== undefined) always.push(...DEPRECATION_HEADERS);
  const oauth = isToken && status < 402;
  const schema = schemas.response(oauth ? oauthErrorSchema : errorResponseSchema);
  const value = oauth ? oauthErrorExample(status) : errorExample(status, operation?.id);
  const examples = { [oauth ? "error" : exampleName(status)]: { summary: STATUS_CODES[status] ?? "Error", value } };
  return {
    description: text,
    headers: headersOf(always, sometimes),
    content: { [JSON_TYPE]: { schema, examples } },
  };
}

function exampleName(status: number): string {
  return (STATUS_CODES[status] ?? "Error").replaceAll(/[^A-Za-z]/g, "");
}

/** Requests for tokens are limited by client and by address. */
function isRateLimited({ id, scope }: Operation): boolean {
  return scope !== null || id === "exchangeToken";
}

/** The headers of every answer to a request with a valid credential. */
function unconditionalHeaders(operation: Operation, { rateLimited }: ResponseOptions): HeaderName[] {
  const { scope, deprecated } = operation;
  const always: HeaderName[] = [...COMMON_HEADERS];
  if (scope !== null) always.push("Service-Version");
  if (rateLimited && isRateLimited(operation)) always.push(...RATE_LIMIT_HEADERS);
  if (deprecated !== undefined) always.push(...DEPRECATION_HEADERS);
  return always;
}

/** Headers of some answers: the version where it was requested, limits where a proxy counts requests. */
function conditionalHeaders(operation: Operation, { rateLimited }: ResponseOptions): HeaderName[] {
  const sometimes: HeaderName[] = [];
  if (operation.scope === null) sometimes.push("Service-Version");
  if (!rateLimited && isRateLimited(operation)) sometimes.push(...RATE_LIMIT_HEADERS);
  return sometimes;
}
