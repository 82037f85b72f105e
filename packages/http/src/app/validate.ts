import { MAX_HEADER, MAX_ID, MAX_IDEMPOTENCY_KEY, toProblems } from "@travel-booking/api-contract";
import { errorResponse } from "../error-response.ts";
import { type BodyBounds, type BodyProblem, readBody } from "../request/body.ts";
import { contentTypeProblem } from "../request/headers.ts";
import { parseJson, parseQuery } from "../request/parse.ts";
import type { ApiResponse, RawBody, StagedFile } from "../route.ts";
import { readUpload } from "../upload.ts";
import type { HttpExchange } from "./http-exchange.ts";
import { Turns } from "./in-turns.ts";
import { NOTHING, type RoutePlan } from "./route-plan.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: no id contains one of these.
const CONTROL = /[\0-\x1f\x7f]/;

/** Bodies above this size are validated one per turn of the event loop, whatever they hold. */
const LARGE_BODY_BYTES = 16_384;
const largeBodies = new Turns();

/** The client disconnected, so no response is written. */
export type Aborted = "aborted";

export interface Validated {
  /** The parsed JSON as it was sent. The fingerprint of an Idempotency-Key is made of it. */
  readonly sentBody: unknown;
  /** The file, if the body was one. */
  readonly file?: StagedFile;
}

type Validation = Validated | ApiResponse | Aborted;

/**
 * Checks query, Idempotency-Key, body and ids, and puts what the schemas make of them on the exchange. A 400 names
 * every problem; an id that cannot exist is simply not found.
 */
export async function validate(exchange: HttpExchange, plan: RoutePlan): Promise<Validation> {
  const problems: string[] = [];
  checkQuery(exchange, plan, problems);
  checkHeaders(exchange, problems);
  checkIdempotencyKey(exchange, plan, problems);
  if (plan.route.upload !== undefined) return validateUpload(exchange, plan, plan.route.upload, problems);
  if (plan.route.operation.body === undefined && !plan.writes) {
    return refusal(exchange, plan, problems) ?? { sentBody: undefined };
  }
  const read = await readBody(exchange.request, plan.bodyBounds);
  if (read === "aborted") return read;
  if ("problem" in read) exchange.mustClose = read.tooSlow;
  else if (read.length > LARGE_BODY_BYTES) await largeBodies.next();
  const sentBody = checkBody(exchange, plan, read, problems);
  return refusal(exchange, plan, problems) ?? { sentBody };
}

function refusal({ params }: HttpExchange, plan: RoutePlan, problems: readonly string[]): ApiResponse | undefined {
  if (problems.length > 0) return errorResponse(400, "invalid_request", problems);
  return hasMalformedId(params) ? plan.notFound : undefined;
}

/** Stores the file of the body. The handler gets the `body` of the staged file. */
async function validateUpload(
  exchange: HttpExchange,
  plan: RoutePlan,
  upload: NonNullable<RoutePlan["route"]["upload"]>,
  problems: readonly string[],
): Promise<Validation> {
  const refused = refusal(exchange, plan, problems);
  if (refused !== undefined) return refused;
  const read = await readUpload(exchange.request, upload.maxBytes, (file) => upload.take(exchange, file));
  if (read === "aborted" || "status" in read) return read;
  exchange.body = read.body;
  return { sentBody: read.fingerprint, file: read };
}

/** Reads the body for a route that checks it itself. */
export async function readRaw(exchange: HttpExchange, bounds: BodyBounds): Promise<RawBody | Aborted> {
  const read = await readBody(exchange.request, bounds);
  if (read !== "aborted" && "problem" in read) exchange.mustClose = read.tooSlow;
  return read;
}

function checkQuery(exchange: HttpExchange, { route }: RoutePlan, problems: string[]): void {
  const url = exchange.request.url ?? "";
  const mark = url.indexOf("?");
  const { query = NOTHING, repeatable } = route.operation;
  const parsed = parseQuery(mark === -1 ? "" : url.slice(mark + 1), repeatable);
  problems.push(...parsed.problems);
  const result = query.safeParse(parsed.parameters);
  if (result.success) exchange.query = result.data;
  else problems.push(...toProblems(result.error, "query"));
}

const FREE_HEADERS = ["X-Request-Id", "If-None-Match"] as const;

function checkHeaders(exchange: HttpExchange, problems: string[]): void {
  for (const name of exchange.repeatedHeaders) problems.push(`${name} is given more than once`);
  for (const name of FREE_HEADERS) {
    if ((exchange.header(name.toLowerCase())?.length ?? 0) > MAX_HEADER)
      problems.push(`${name} must have at most ${MAX_HEADER} characters`);
  }
}

function checkIdempotencyKey(exchange: HttpExchange, { route }: RoutePlan, problems: string[]): void {
  const { idempotencyKey } = route.operation;
  if (idempotencyKey === undefined) return;
  const key = exchange.header("idempotency-key");
  if (key === undefined) {
    if (idempotencyKey === "required") problems.push("Idempotency-Key is required");
  } else if (key === "") problems.push("Idempotency-Key must not be empty");
  else if (key.length > MAX_IDEMPOTENCY_KEY)
    problems.push(`Idempotency-Key must have at most ${MAX_IDEMPOTENCY_KEY} characters`);
}

/** Returns the parsed body as it was sent; undefined if the operation has no body, or if there are problems. */
function checkBody(
  exchange: HttpExchange,
  { route }: RoutePlan,
  read: Buffer | BodyProblem,
  problems: string[],
): unknown {
  const { body = NOTHING, bodyOptional = body === NOTHING } = route.operation;
  if ("problem" in read) {
    problems.push(read.problem);
    return undefined;
  }
  let value: unknown = {};
  if (read.length > 0) {
    const wrongType = contentTypeProblem(exchange.request.headers, "application/json");
    if (wrongType !== undefined) {
      problems.push(wrongType);
      return undefined;
    }
    const parsed = parseJson(read);
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
  else if (body !== NOTHING) exchange.body = result.data;
  return body === NOTHING ? undefined : value;
}

/** Whether the path names an object that cannot exist. */
function hasMalformedId(params: Readonly<Record<string, string>>): boolean {
  for (const name in params) {
    const id = params[name] as string;
    if (id.length > MAX_ID || CONTROL.test(id)) return true;
  }
  return false;
}
