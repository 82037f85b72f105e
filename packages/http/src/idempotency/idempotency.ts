import { hash } from "node:crypto";
import type { Clock, CommandIds } from "@travel-booking/runtime";
import type { StateStore } from "@travel-booking/state-store";
import { errorResponse } from "../errors/error-response.ts";
import type { ApiResponse, CommandIdentity } from "../route.ts";
import { type IdempotencyRecord, isSettling, toKept, toReplayed } from "./idempotency-record.ts";

const SPACE = "idempotency";
/** Milliseconds a key is kept for (API document, "Limits"). */
const KEPT_FOR = 24 * 60 * 60 * 1_000;
/** Milliseconds of real time a concurrent twin waits for the first one's result. */
const LONGEST_WAIT = 10_000;

const REUSED = errorResponse(422, "The Idempotency-Key was already used with a different request.");
const IN_PROGRESS = errorResponse(409, "A request with this Idempotency-Key is still in progress.", {
  "Retry-After": "1",
});

export interface IdempotencyOptions {
  readonly store: StateStore;
  readonly clock: Clock;
  readonly commandIds: CommandIds;
  /** Milliseconds of real time. */
  readonly longestWait?: number;
}

/** A request that was sent with a key. */
export interface KeyedRequest {
  readonly accountId: string;
  readonly operationId: string;
  readonly key: string;
  readonly fingerprint: string;
}

type Execute = (identity: CommandIdentity) => ApiResponse | Promise<ApiResponse>;

interface Outcome {
  readonly response: ApiResponse;
  /** What whoever asks again is answered: the kept response, or this one where it was not kept. */
  readonly again: ApiResponse;
}

/** An attempt this process is working on. */
interface Attempt {
  readonly fingerprint: string;
  /** True once the record is known to be about this request. */
  owns: boolean;
  outcome: Promise<Outcome>;
}

/**
 * Runs a request once per key. The record is begun, durably, before the command runs and fixes its id; a record found
 * unfinished with nobody here at work on it was left by a crash or a failure, so the same command runs again.
 */
export class Idempotency {
  readonly #store: StateStore;
  readonly #clock: Clock;
  readonly #commandIds: CommandIds;
  readonly #longestWait: number;
  readonly #attempts = new Map<string, Attempt>();

  constructor({ store, clock, commandIds, longestWait = LONGEST_WAIT }: IdempotencyOptions) {
    this.#store = store;
    this.#clock = clock;
    this.#commandIds = commandIds;
    this.#longestWait = longestWait;
  }

  async run(request: KeyedRequest, execute: Execute): Promise<ApiResponse> {
    const { accountId, operationId, key, fingerprint } = request;
    const recordKey = `${accountId}/${operationId}/${hash("sha256", key, "base64url")}`;
    const deadline = performance.now() + this.#longestWait;
    for (;;) {
      const running = this.#attempts.get(recordKey);
      if (running === undefined) return this.#runFirst(recordKey, fingerprint, execute);
      if (running.owns && running.fingerprint !== fingerprint) return REUSED;
      const outcome = await settledBefore(deadline, running.outcome);
      if (outcome === undefined) return IN_PROGRESS;
      if (running.fingerprint === fingerprint) return outcome.again;
    }
  }

  async #runFirst(recordKey: string, fingerprint: string, execute: Execute): Promise<ApiResponse> {
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
    // Twins may come or not; the failure itself is reported by the first.
    promise.catch(() => undefined);
    const attempt: Attempt = { fingerprint, owns: false, outcome: promise };
    this.#attempts.set(recordKey, attempt);
    try {
      const outcome = await this.#attempt(recordKey, attempt, execute);
      resolve(outcome);
      return outcome.response;
    } catch (error) {
      reject(error);
      throw error;
    } finally {
      this.#attempts.delete(recordKey);
    }
  }

  async #attempt(recordKey: string, attempt: Attempt, execute: Execute): Promise<Outcome> {
    const { record, version, begun } = await this.#begin(recordKey, attempt.fingerprint);
    if (record.fingerprint !== attempt.fingerprint) return { response: REUSED, again: REUSED };
    attempt.owns = true;
    if (record.response !== null) {
      const replayed = toReplayed(record.response);
      return { response: replayed, again: replayed };
    }
    const response = await execute({ commandId: record.commandId, repeated: !begun });
    if (isSettling(response)) {
      const kept = toKept(response);
      const expiresAt = this.#clock.now() + KEPT_FOR;
      await this.#store.replace(SPACE, recordKey, version, { ...record, response: kept }, { expiresAt });
      return { response, again: toReplayed(kept) };
    }
    // A refusal that settles nothing frees the key; a failure leaves the record, so that a retry is the same command.
    if (response.status < 500 && response.transient !== true) await this.#store.remove(SPACE, recordKey);
    return { response, again: response };
  }

  /** The record of this key: a new one (`begun`), or the one that is there and not yet out of date. */
  async #begin(
    recordKey: string,
    fingerprint: string,
  ): Promise<{ readonly record: IdempotencyRecord; readonly version: number; readonly begun: boolean }> {
    const fresh: IdempotencyRecord = { fingerprint, commandId: this.#commandIds.next(), response: null };
    for (;;) {
      const now = this.#clock.now();
      const expiry = { expiresAt: now + KEPT_FOR };
      const { created, record } = await this.#store.create(SPACE, recordKey, fresh, expiry);
      const expired = record.expiresAt !== null && record.expiresAt <= now;
      if (created || !expired) return { record: record.value, version: record.version, begun: created };
      const replaced = await this.#store.replace(SPACE, recordKey, record.version, fresh, expiry);
      if (replaced !== undefined) return { record: fresh, version: replaced.version, begun: true };
    }
  }
}

/** Undefined where the deadline (by `performance.now`) comes first. */
async function settledBefore<Value>(deadline: number, promise: Promise<Value>): Promise<Value | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), Math.max(0, deadline - performance.now()));
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
