import type { WritePositions } from "@travel-booking/engines/write-positions";
import type { ProjectionProgress } from "@travel-booking/read-models";
import { withTimeout } from "@travel-booking/runtime/real-time";
import { OVERLOADED, unavailable } from "../error-response.ts";
import { fingerprintOf } from "../idempotency/idempotency.ts";
import { FORM_BODY } from "../request/body.ts";
import { requestsUnsupportedVersion, UNSUPPORTED_VERSION } from "../request/headers.ts";
import type { ApiRequest, ApiResponse, Caller, CommandIdentity } from "../route.ts";
import { admit, recheckAdmission } from "./admission.ts";
import type { AppOptions } from "./app-options.ts";
import type { HttpExchange } from "./http-exchange.ts";
import type { RoutePlan } from "./route-plan.ts";
import { type Aborted, readRaw, type Validated, validate } from "./validate.ts";

const STALE_READ_RESPONSE = unavailable("not_yet_readable", "What you wrote last is not yet readable; try again.");
/** Milliseconds a read waits at most for the credential's own writes (docs/rules.md#own-writes). */
const MAX_WAIT_MS = 5_000;
/** Real time for a command, including everything it waits for (docs/rules.md#failures). */
const COMMAND_TIMEOUT_MS = 15_000;
/** A response that is kept under a key counts as one more request for each so many bytes (docs/rules.md#rate-limits). */
const KEPT_BYTES_PER_REQUEST = 4_096;

/** Takes a request through every check to its handler, in the order of docs/rules.md#order-of-checks. */
export async function handleRequest(
  exchange: HttpExchange,
  plan: RoutePlan,
  options: AppOptions,
): Promise<ApiResponse | Aborted> {
  const { operation, reads, skipsValidation, upload } = plan.route;
  if (operation.scope !== null) {
    const refused = await admit(exchange, options);
    if (refused !== undefined) return refused;
    if (exchange.caller?.scopes.has(operation.scope) !== true) return plan.insufficientScope as ApiResponse;
    const refusedWrite = plan.writes ? options.refuseWrite?.(upload !== undefined) : undefined;
    if (refusedWrite !== undefined) return refusedWrite;
  }
  if (skipsValidation === true) {
    const body = await readRaw(exchange, FORM_BODY);
    if (body === "aborted") return body;
    if (!exchange.enter(plan.inFlight)) return OVERLOADED;
    exchange.body = body;
    return plan.handler(exchange);
  }
  if (requestsUnsupportedVersion(exchange)) return UNSUPPORTED_VERSION;
  const valid = await validate(exchange, plan);
  if (valid === "aborted" || "status" in valid) return valid;
  // Only after the body has arrived: a client that sends slowly does not count as in flight.
  if (!exchange.enter(plan.inFlight)) {
    await valid.file?.settle(true);
    return OVERLOADED;
  }

  const { caller } = exchange;
  if (reads !== undefined && caller !== null) {
    const projections = typeof reads === "function" ? reads(exchange.query as never) : reads;
    const fresh = await waitForOwnWrites(projections, caller.credentialId, options.positions, options.progress);
    if (!fresh) return STALE_READ_RESPONSE;
  }
  if (caller === null) return plan.handler(exchange);
  if (!plan.writes) {
    const response = await plan.handler(exchange);
    return (exchange.hasWaited && (await recheckAdmission(exchange, options, operation.scope))) || response;
  }

  const timeoutMs = options.commandTimeoutMs ?? COMMAND_TIMEOUT_MS;
  const late = () => new Error(`a command had no outcome within ${timeoutMs} ms; it goes on`);
  return withTimeout(answerCommand(exchange, plan, options, caller, valid), timeoutMs, late);
}

/** Even if the client has disconnected, the uploaded file is settled and the log position of the command is stored. */
async function answerCommand(
  exchange: HttpExchange,
  plan: RoutePlan,
  options: AppOptions,
  caller: Caller,
  { file, sentBody }: Validated,
): Promise<ApiResponse> {
  let response: ApiResponse | undefined;
  try {
    response = await handleCommand(exchange, plan, options, caller, sentBody);
  } finally {
    await file?.settle(response !== undefined);
  }
  if (response.position !== undefined) await options.positions.record(caller.credentialId, response.position);
  return response;
}

/** Whether each of these projections shows everything the credential has written, at once or within the wait. */
async function waitForOwnWrites(
  projections: readonly string[],
  credentialId: string,
  positions: WritePositions,
  progress: ProjectionProgress,
): Promise<boolean> {
  const written = await positions.positionOf(credentialId);
  if (written === undefined) return true;
  const behind = projections.filter((projection) => progress.positionOf(projection) < written);
  const reached = behind.map((projection) => progress.waitUntil(projection, written, MAX_WAIT_MS));
  return (await Promise.all(reached)).every(Boolean);
}

/** Runs the command, under its Idempotency-Key if it has one. `sentBody` is the body before its schema changed it. */
async function handleCommand(
  exchange: HttpExchange,
  { route, handler }: RoutePlan,
  { idempotency, commandIds, responseSealer, words, rateLimiter }: AppOptions,
  { accountId, credentialId }: Caller,
  sentBody: unknown,
): Promise<ApiResponse> {
  const { id, method, idempotencyKey } = route.operation;
  const execute = (identity: CommandIdentity) => {
    exchange.command = identity;
    return handler(exchange);
  };
  const key = idempotencyKey === undefined ? undefined : exchange.header("idempotency-key");
  if (key === undefined) {
    return execute({ commandId: commandIds.next(), repeated: false, mayHaveActed: false });
  }
  const plain = fingerprintOf(method, exchange.path, sentBody);
  const fingerprint = await words.keys.requestKey(accountId, plain);
  const context = `${accountId}/${id}`;
  const confidential = {
    sealAnswer: (text: string) => responseSealer.seal(text, context),
    openAnswer: (text: string) => responseSealer.unseal(text, context),
  };
  const sealer = route.confidential === true ? confidential : words;
  const waitUncounted: ApiRequest["waitUncounted"] = (wait) => exchange.waitUncounted(wait);
  const keyed = { accountId, operationId: id, key, fingerprint, formerFingerprint: plain, sealer, waitUncounted };
  return idempotency.run(keyed, async (identity) => {
    const response = await execute(identity);
    const more = requestsForKeeping(response);
    if (more > 0) exchange.rate = await rateLimiter.count(credentialId, more);
    return response;
  });
}

/** Otherwise requests of a few bytes, each with a new key, would fill the disk with large responses. */
function requestsForKeeping({ json }: ApiResponse): number {
  return Math.floor((json === null ? 0 : Buffer.byteLength(json)) / KEPT_BYTES_PER_REQUEST);
}
