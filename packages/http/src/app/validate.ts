import { toProblems, validationMessage } from "@travel-booking/api-contract";
import { z } from "zod";
import { errorResponse } from "../error-response.ts";
import { type BodyRead, drain, MAX_BODY_BYTES, readBody } from "../request/body.ts";
import { contentTypeProblem } from "../request/headers.ts";
import { parseJson, parseQuery } from "../request/parse.ts";
import type { ApiResponse, RawBody } from "../route.ts";
import { readUpload } from "../upload.ts";
import type { StagedFile } from "../uploaded-file.ts";
import type { HttpExchange } from "./http-exchange.ts";
import type { RoutePlan } from "./route-plan.ts";

const MAX_ID = 200;
const MAX_KEY = 255;
const TOO_LARGE = `body must have at most ${MAX_BODY_BYTES} bytes`;
// biome-ignore lint/suspicious/noControlCharactersInRegex: an id with one of these is nobody's.
const CONTROL = /[\0-\x1f\x7f]/;

/** What a command without a body of its own takes: nothing, or an empty object. */
const EMPTY_BODY = z.strictObject({}, { error: validationMessage });

/** The client has gone: there is nobody to answer. */
export type Aborted = "gone";

/** What the body is after JSON, before the schema: the fingerprint of an Idempotency-Key is made of it. */
interface Validated {
  readonly sentBody: unknown;
  /** The file that came instead of a body. */
  readonly file?: StagedFile;
}

export type Validation = Validated | ApiResponse | Aborted;

/**
 * Checks query, Idempotency-Key, body and ids, and puts what the schemas make of them on the exchange. A 400 names
 * every problem; an id that cannot be one is simply not found.
 */
export function validate(exchange: HttpExchange, plan: RoutePlan): Validation | Promise<Validation> {
  const problems = validateHead(exchange, plan);
  if (plan.route.operation.body === undefined && !plan.writes)
    return validationResult(exchange, plan, problems, undefined);
  const read = readBody(exchange.request);
  return read instanceof Promise
    ? read.then((body) => validateBody(exchange, plan, body, problems))
    : validateBody(exchange, plan, read, problems);
}

/** What is wrong with query and Idempotency-Key; the query is put on the exchange. */
function validateHead(exchange: HttpExchange, plan: RoutePlan): string[] {
  const problems: string[] = [];
  checkQuery(exchange, plan, problems);
  checkIdempotencyKey(exchange, plan, problems);
  return problems;
}

function validateBody(exchange: HttpExchange, plan: RoutePlan, read: BodyRead, problems: string[]): Validation {
  return read.kind === "aborted"
    ? "gone"
    : validationResult(exchange, plan, problems, checkBody(exchange, plan, read, problems));
}

function validationResult(
  exchange: HttpExchange,
  plan: RoutePlan,
  problems: readonly string[],
  sentBody: unknown,
): Validation {
  if (problems.length > 0) return errorResponse(400, problems);
  return hasMalformedId(exchange.params) ? plan.notFound : { sentBody };
}

/** Reads the body for a route that checks it itself. */
export async function readRaw(exchange: HttpExchange): Promise<RawBody | Aborted> {
  const read = await readBody(exchange.request);
  if (read.kind === "aborted") return "gone";
  return read.kind === "read" ? { bytes: read.bytes } : { problem: TOO_LARGE };
}

function checkQuery(exchange: HttpExchange, { route, defaultQuery }: RoutePlan, problems: string[]): void {
  const url = exchange.request.url ?? "";
  const mark = url.indexOf("?");
  if (mark === -1 && defaultQuery !== undefined) {
    exchange.query = defaultQuery;
    return;
  }
  const parsed = parseQuery(mark === -1 ? "" : url.slice(mark + 1));
  problems.push(...parsed.problems);
  const { query } = route.operation;
  if (query === undefined) {
    for (const name of Object.keys(parsed.parameters)) problems.push(`${name.slice(0, 64)} is not a known parameter`);
    exchange.query = defaultQuery;
    return;
  }
  const result = query.safeParse(parsed.parameters);
  if (result.success) exchange.query = result.data;
  else problems.push(...toProblems(result.error, "query"));
}

function checkIdempotencyKey(exchange: HttpExchange, { route }: RoutePlan, problems: string[]): void {
  const { idempotencyKey } = route.operation;
  if (idempotencyKey === undefined) return;
  const key = exchange.header("idempotency-key");
  if (key === undefined) {
    if (idempotencyKey === "required") problems.push("Idempotency-Key is required");
  } else if (key === "") problems.push("Idempotency-Key must not be empty");
  else if (key.length > MAX_KEY) problems.push(`Idempotency-Key must have at most ${MAX_KEY} characters`);
}

/** Answers what was sent; undefined where the operation has no body, or there are problems. */
function checkBody(exchange: HttpExchange, { route }: RoutePlan, read: BodyRead, problems: string[]): unknown {
  const { body = EMPTY_BODY, bodyOptional = body === EMPTY_BODY } = route.operation;
  if (read.kind !== "read") {
    problems.push(TOO_LARGE);
    return undefined;
  }
  let value: unknown = {};
  if (read.bytes.length > 0) {
    const mislabelled = contentTypeProblem(exchange.request.headers, "application/json");
    if (mislabelled !== undefined) {
      problems.push(mislabelled);
      return undefined;
    }
    const parsed = parseJson(read.bytes);
    if ("problems" in parsed) {
      problems.push(...parsed.problems);
      return undefined;
    }
    value = parsed.value;
  } else if (!bodyOptional) {
    problems.push("body is required");
    return undefined;
  }
  const result = body.safeParse(value);
  if (!result.success) problems.push(...toProblems(result.error, "body"));
  else if (body !== EMPTY_BODY) exchange.body = result.data;
  return body === EMPTY_BODY ? undefined : value;
}

/** Whether a path names what can't exist. */
function hasMalformedId(params: Readonly<Record<string, string>>): boolean {
  for (const name in params) {
    const id = params[name] as string;
    if (id.length > MAX_ID || CONTROL.test(id)) return true;
  }
  return false;
}

/** Checks a request whose body is a file, and takes the file in. What is taken in is the handler's body. */
export async function receiveUpload(exchange: HttpExchange, plan: RoutePlan): Promise<Validation> {
  const { upload } = plan.route;
  if (upload === undefined) throw new Error(`${plan.route.operation.id} takes no file`);
  const problems = validateHead(exchange, plan);
  if (problems.length > 0 || hasMalformedId(exchange.params)) {
    drain(exchange.request);
    return problems.length > 0 ? errorResponse(400, problems) : plan.notFound;
  }
  const read = await readUpload(exchange.request, upload.maxBytes, (file) => upload.take(exchange, file));
  if (read === "gone") return read;
  if ("refused" in read) return read.refused;
  if ("problems" in read) return errorResponse(400, read.problems);
  exchange.body = read.taken.body;
  return { sentBody: read.taken.fingerprint, file: read.taken };
}
