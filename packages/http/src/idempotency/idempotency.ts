import { hash, randomUUID } from "node:crypto";
import type { StateStore } from "@travel-booking/engines/state-store";
import type { Clock, CommandIdGenerator } from "@travel-booking/runtime";
import { type RealTime, realTime } from "@travel-booking/runtime/real-time";
import { errorResponse } from "../error-response.ts";
import type { ApiRequest, ApiResponse } from "../route.ts";
import { type AttemptContext, claim, type Execute } from "./command-attempt.ts";
import { type AnswerSealer, toReplayedResponse } from "./idempotency-record.ts";

/** Milliseconds of real time a repeated request waits for the result of the first. */
const MAX_WAIT_MS = 10_000;

const REUSED = errorResponse(422, "key_reused", "The Idempotency-Key was already used with a different request.");
const IN_PROGRESS = errorResponse(409, "key_in_progress", "A request with this Idempotency-Key is still in progress.", {
  "Retry-After": "1",
});

export interface IdempotencyOptions {
  readonly store: StateStore;
  readonly clock: Clock;
  readonly commandIds: CommandIdGenerator;
  /**
   * An id that no other process has ever had; a random one by default. Null: no other process uses the store. Then no
   * leases are written, and unfinished commands resume at once.
   */
  readonly holder?: string | null;
  /** Milliseconds of real time. */
  readonly maxWaitMs?: number;
  readonly realTime?: RealTime;
}

/** A request that was sent with a key. */
export interface KeyedRequest {
  readonly accountId: string;
  readonly operationId: string;
  readonly key: string;
  readonly fingerprint: string;
  /** The fingerprint that a former release stored for the same request. */
  readonly formerFingerprint?: string;
  readonly sealer: AnswerSealer;
  /** Waits while another request with the key runs. Absent: the wait counts as any other. */
  readonly waitUncounted?: ApiRequest["waitUncounted"];
}

/**
 * Runs a request once per key, whichever of several processes receives it.
 *
 * - Before the command runs, a durable record of the key fixes the command's id and names the process that runs it.
 * - While the command runs, that process renews its lease of the record.
 * - An unfinished record without a valid lease was left by a crash, a stall or a failure. The next request runs the
 *   same command again, with `repeated` true. If that command was given up, it runs a new one. An attempt that was
 *   superseded sends the response of the attempt that took over.
 */
export class Idempotency {
  readonly #context: AttemptContext;
  readonly #commandIds: CommandIdGenerator;
  readonly #maxWaitMs: number;

  constructor({ commandIds, maxWaitMs = MAX_WAIT_MS, ...options }: IdempotencyOptions) {
    this.#context = { realTime, holder: randomUUID(), ...options, claimedHere: new Set() };
    this.#commandIds = commandIds;
    this.#maxWaitMs = maxWaitMs;
  }

  /**
   * @throws StateStoreUnavailable the record is out of reach, so nothing was done.
   * @throws ResponseNotStored the command has run; a retry gets the response.
   */
  async run(request: KeyedRequest, execute: Execute): Promise<ApiResponse> {
    const { accountId, operationId, fingerprint, formerFingerprint, sealer, waitUncounted = (wait) => wait } = request;
    const key = `${accountId}/${operationId}/${hash("sha256", request.key, "base64url")}`;
    const newCommandId = this.#commandIds.next();
    const known = { key, fingerprint, formerFingerprint, commandId: newCommandId };
    const claimRequest = { ...known, maxWaitMs: this.#maxWaitMs, waitUncounted };
    let onlyCommandId: string | undefined;
    let ownResponse: ApiResponse | undefined;
    for (;;) {
      const claimed = await claim(this.#context, { ...claimRequest, onlyCommandId });
      if (claimed === "reused") return REUSED;
      if (claimed === "in progress") return IN_PROGRESS;
      if (claimed === "gone") return ownResponse ?? IN_PROGRESS;
      if ("response" in claimed) return toReplayedResponse(claimed.response, sealer);
      const { commandId } = claimed.attempt;
      const outcome = await claimed.attempt.run(execute, sealer).finally(() => this.#context.claimedHere.delete(key));
      if ("response" in outcome) {
        // The command of an earlier attempt was given up, which has freed the key. The request runs as a new command.
        if (outcome.response.givenUp !== true || commandId === newCommandId) return outcome.response;
        onlyCommandId = undefined;
        continue;
      }
      // Superseded: get the response of the attempt that took over, or run the same command again if that one dies.
      onlyCommandId = commandId;
      // If the key is freed meanwhile, only a success still holds: a refused command may by now have succeeded.
      ownResponse = isSuccess(outcome.ownResponse) ? outcome.ownResponse : undefined;
    }
  }
}

const isSuccess = (response: ApiResponse | undefined) => response !== undefined && response.status < 300;

/** Tells requests with the same key apart: the same method, path and body give the same fingerprint. */
export function fingerprintOf(method: string, path: string, body: unknown): string {
  return hash("sha256", `${method}\n${path}\n${canonicalJson(body)}`, "base64url");
}

/** JSON with sorted keys, so that equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  let text = "";
  if (Array.isArray(value)) {
    for (const item of value) text += `${text === "" ? "" : ","}${canonicalJson(item)}`;
    return `[${text}]`;
  }
  const fields = value as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(fields).sort()) {
    text += `${text === "" ? "" : ","}${JSON.stringify(key)}:${canonicalJson(fields[key])}`;
  }
  return `{${text}}`;
}
