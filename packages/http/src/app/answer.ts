import { unavailable } from "../errors/error-response.ts";
import { waitForFresh } from "../freshness/fresh-reads.ts";
import { runConfidentially } from "../idempotency/confidential.ts";
import { fingerprintOf } from "../idempotency/fingerprint.ts";
import type { ApiResponse, CommandIdentity } from "../route.ts";
import { admit, admitStill } from "./admission.ts";
import { asksForUnknown, UNKNOWN_VERSION } from "./api-version.ts";
import type { AppOptions } from "./app-options.ts";
import type { Exchange } from "./exchange.ts";
import type { RoutePlan } from "./route-plan.ts";
import { takeUpload } from "./take-upload.ts";
import { type Gone, readRaw, validate } from "./validate.ts";

const STALE = unavailable("What you wrote last is not yet readable; try again.");

/** Takes a request through every check to its handler, in the order of docs/rules.md#order-of-checks. */
export async function answer(exchange: Exchange, plan: RoutePlan, options: AppOptions): Promise<ApiResponse | Gone> {
  const { operation, reads, unchecked } = plan.route;
  if (operation.scope !== null) {
    const admission = admit(exchange, options);
    const refused = admission instanceof Promise ? await admission : admission;
    if (refused !== undefined) return refused;
    if (exchange.caller?.scopes.has(operation.scope) !== true) return plan.scopeLacking as ApiResponse;
  }
  if (unchecked !== true && asksForUnknown(exchange)) return UNKNOWN_VERSION;
  if (unchecked === true) {
    const body = await readRaw(exchange);
    if (body === "gone") return body;
    exchange.body = body;
    return plan.handler(exchange);
  }
  const validation = plan.route.upload === undefined ? validate(exchange, plan) : takeUpload(exchange, plan);
  const valid = validation instanceof Promise ? await validation : validation;
  if (valid === "gone" || "status" in valid) return valid;

  const { caller } = exchange;
  if (reads !== undefined && caller !== null && options.progress !== undefined) {
    const fresh = waitForFresh(reads, caller.credentialId, options.positions, options.progress);
    if (!(fresh instanceof Promise ? await fresh : fresh)) return STALE;
  }
  if (caller === null) return plan.handler(exchange);
  if (!plan.writes) return read(exchange, plan, options);

  const response = await runCommand(exchange, plan, options, caller.accountId, valid.sentBody);
  // Where it fails nobody knows yet whether the file is of use.
  await valid.file?.finish();
  if (response.position !== undefined) await options.positions.record(caller.credentialId, response.position);
  return response;
}

async function read(exchange: Exchange, plan: RoutePlan, options: AppOptions): Promise<ApiResponse> {
  const response = await plan.handler(exchange);
  if (!exchange.waited) return response;
  return (await admitStill(exchange, options, plan.route.operation.scope)) ?? response;
}

function runCommand(
  exchange: Exchange,
  plan: RoutePlan,
  { idempotency, commandIds, sealedAnswers }: AppOptions,
  accountId: string,
  sentBody: unknown,
): ApiResponse | Promise<ApiResponse> {
  const { id, method, idempotencyKey } = plan.route.operation;
  const key = idempotencyKey === undefined ? undefined : exchange.header("idempotency-key");
  if (key === undefined || idempotency === undefined) {
    exchange.command = { commandId: commandIds.next(), repeated: false };
    return plan.handler(exchange);
  }
  const path = (exchange.request.url ?? "").split("?", 1)[0] as string;
  const fingerprint = fingerprintOf(method, path, sentBody);
  const keyed = { accountId, operationId: id, key, fingerprint };
  const run = (identity: CommandIdentity) => {
    exchange.command = identity;
    return plan.handler(exchange);
  };
  if (plan.route.confidential !== true || sealedAnswers === undefined) return idempotency.run(keyed, run);
  return runConfidentially(sealedAnswers, `${accountId}/${id}`, (sealing) => idempotency.run(keyed, sealing), run);
}
