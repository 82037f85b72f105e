import { STATUS_CODES } from "node:http";
import { COMMON_CODES, errorCodesOf } from "../errors/of-operation.ts";
import { type ErrorCode, type ErrorStatus, reasonOf } from "../errors/reasons.ts";
import { errorExample, oauthErrorExample } from "../examples/errors.ts";
import { examplesOf } from "../examples/examples.ts";
import type { Operation } from "../operation.ts";
import { errorResponseSchema, oauthErrorSchema } from "../resources/error.ts";
import { COMMON_HEADERS, errorCodeHeader, type HeaderName, headersOf, RATE_LIMIT_HEADERS } from "./headers.ts";
import type { Schemas } from "./schemas.ts";
import type { Reference, ResponseObject, Schema } from "./types.ts";

const DEPRECATION_HEADERS = ["Deprecation", "Sunset", "Link"] as const;
/** `format: binary` is not in OpenAPI 3.1, but client generators recognise bytes by it. */
const FILE: Schema = { type: "string", format: "binary", maxLength: 2_147_483_647, description: "The file." };
const JSON_TYPE = "application/json";

/** Components for the errors that operations share and add no reasons to. */
const SHARED = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  429: "TooManyRequests",
  500: "InternalServerError",
  503: "ServiceUnavailable",
} as const satisfies { readonly [Status in ErrorStatus]?: string };
type SharedStatus = keyof typeof SHARED;

export interface ResponseOptions {
  readonly schemas: Schemas;
  /** False: no answer must have the headers of the rate limit. */
  readonly rateLimited: boolean;
}

/** The answers of an operation, by status. */
export function responsesOf(
  operation: Operation,
  options: ResponseOptions,
): Record<string, ResponseObject | Reference> {
  const answers: Record<string, ResponseObject | Reference> = {
    [operation.success.status]: success(operation, options),
  };
  if (operation.success.tagged === true) answers[304] = notModified(operation, options);
  for (const [status, codes] of errorCodesOf(operation)) answers[status] = error(status, codes, operation, options);
  return answers;
}

/** The answers of `SHARED`, as components. */
export function sharedResponses(options: ResponseOptions): Record<string, ResponseObject> {
  return Object.fromEntries(
    Object.entries(SHARED).map(([text, name]) => {
      const status = Number(text) as SharedStatus;
      return [name, errorObject(status, COMMON_CODES[status], undefined, options)];
    }),
  );
}

function error(
  status: ErrorStatus,
  codes: readonly ErrorCode[],
  operation: Operation,
  options: ResponseOptions,
): ResponseObject | Reference {
  const isShared =
    status in SHARED &&
    codes.length === COMMON_CODES[status as SharedStatus].length &&
    operation.deprecated === undefined;
  if (isShared && (operation.id !== "exchangeToken" || status > 402)) {
    return { $ref: `#/components/responses/${SHARED[status as SharedStatus]}` };
  }
  return errorObject(status, codes, operation, options);
}

function success(operation: Operation, options: ResponseOptions): ResponseObject {
  const { body, files = [], headers: some = [], tagged } = operation.success;
  const own: HeaderName[] = [];
  if (operation.id === "exchangeToken") own.push("Pragma");
  if (tagged === true) own.push("ETag");
  const sometimes = conditionalHeaders(operation, options);
  sometimes.push(...some);
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

function errorObject(
  status: ErrorStatus,
  codes: readonly ErrorCode[],
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
  // A 400 has this header if the request has two credentials (RFC 6750 §3.1).
  if (status === 403 || (status === 400 && !isToken)) sometimes.push("WWW-Authenticate");
  if (status === 429 || status === 503) always.push("Retry-After");
  if (status === 500 || (status === 409 && operation?.idempotencyKey !== undefined)) sometimes.push("Retry-After");
  if (operation?.idempotencyKey !== undefined && [404, 409, 422].includes(status))
    sometimes.push("Idempotent-Replayed");
  if (isToken && status < 402) always.push("Pragma");
  if (operation?.deprecated !== undefined) always.push(...DEPRECATION_HEADERS);
  const oauth = isToken && status < 402;
  const schema = schemas.response(oauth ? oauthErrorSchema : errorResponseSchema);
  const value = oauth ? oauthErrorExample(status) : errorExample(status, codes);
  const examples = { [oauth ? "error" : exampleName(status)]: { summary: STATUS_CODES[status] ?? "Error", value } };
  return {
    description: codes.map((code) => reasonOf(status, code)[0].replace(/\.$/, ` (\`${code}\`).`)).join(" "),
    headers: { ...headersOf(always, sometimes), "Service-Error-Code": errorCodeHeader(codes) },
    content: { [JSON_TYPE]: { schema, examples } },
  };
}

function exampleName(status: number): string {
  return (STATUS_CODES[status] ?? "Error").replaceAll(/[^A-Za-z]/g, "");
}

/** Requests for tokens have no scope, but are limited by client and by address. */
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

/** Headers of some answers: the version if it was requested, the limits if a proxy counts requests. */
function conditionalHeaders(operation: Operation, { rateLimited }: ResponseOptions): HeaderName[] {
  const sometimes: HeaderName[] = [];
  if (operation.scope === null) sometimes.push("Service-Version");
  if (!rateLimited && isRateLimited(operation)) sometimes.push(...RATE_LIMIT_HEADERS);
  return sometimes;
}
