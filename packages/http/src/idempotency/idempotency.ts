import { hash, randomUUID } from "node:crypto";
import { DEFAULT_LEASE_DURATION_MS } from "@travel-booking/engines/leases";
import type { StateStore } from "@travel-booking/engines/state-store";
import type { Clock, CommandIdGenerator } from "@travel-booking/runtime";
import { type RealTime, realTime } from "@travel-booking/runtime/real-time";
import { errorResponse } from "../error-response.ts";
import type { ApiResponse } from "../route.ts";
import { type AttemptOutcome, claimRecord, type Execute, runAttempt } from "./command-attempt.ts";
import { type IdempotencyContext, toReplayedResponse } from "./idempotency-record.ts";

const SPACE = "idempotency";
/** Milliseconds of real time a concurrent twin waits for the first one's result. */
const MAX_WAIT = 10_000;

const REUSED = errorResponse(422, "The Idempotency-Key was already used with a different request.");
const IN_PROGRESS = errorResponse(409, "A request with this Idempotency-Key is still in progress.", {
  "Retry-After": "1",
});

export interface IdempotencyOptions {
  readonly store: StateStore;
  readonly clock: Clock;
  readonly commandIds: CommandIdGenerator;
  /**
   * True where no other process uses the store: what is found unfinished is taken up at once, since whoever left it is
   * no more, and nothing is written to show that somebody is at work. False unless told.
   */
  readonly singleProcess?: boolean;
  /** An id no other process has ever had; a random one unless told. */
  readonly holder?: string;
  /** How long after its last sign of life a process is taken for dead; the same for all that share the store. */
  readonly leaseMs?: number;
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
}

/** A request this process is working on. */
interface InFlightRequest {
  readonly fingerprint: string;
  /** True once the record is known to be about this request. */
  keyConfirmed: boolean;
  outcome: Promise<AttemptOutcome>;
}

/**
 * Runs a request once per key, whichever of several processes it comes to. The record of a key is begun, durably,
 * before the command runs, and fixes its id. It says who is at work, and a process whose command runs long shows signs
 * of life. A record found unfinished without them was left by a crash, a stall or a failure: the same command runs
 * again, under a `repeated` identity, and whoever was overtaken answers what the one who took over does.
 */
export class Idempotency {
  readonly #place: IdempotencyContext;
  readonly #commandIds: CommandIdGenerator;
  readonly #longestWait: number;
  readonly #running = new Map<string, InFlightRequest>();

  constructor(options: IdempotencyOptions) {
    this.#place = {
      store: options.store,
      space: SPACE,
      clock: options.clock,
      realTime: options.realTime ?? realTime,
      singleProcess: options.singleProcess ?? false,
      holder: options.holder ?? randomUUID(),
      leaseMs: options.leaseMs ?? DEFAULT_LEASE_DURATION_MS,
    };
    this.#commandIds = options.commandIds;
    this.#longestWait = options.maxWaitMs ?? MAX_WAIT;
  }

  /**
   * @throws StateStoreUnavailable the record is out of reach: nothing was done.
   * @throws AnswerNotKept the command was carried out; a repetition answers.
   */
  async run(request: KeyedRequest, execute: Execute): Promise<ApiResponse> {
    const { accountId, operationId, key, fingerprint } = request;
    const recordKey = `${accountId}/${operationId}/${hash("sha256", key, "base64url")}`;
    const deadline = this.#place.realTime.now() + this.#longestWait;
    for (;;) {
      const running = this.#running.get(recordKey);
      if (running === undefined) return this.#runFirst(recordKey, fingerprint, execute);
      if (running.keyConfirmed && running.fingerprint !== fingerprint) return REUSED;
      const outcome = await resultBefore(deadline, running.outcome, this.#place.realTime);
      if (outcome === undefined) return IN_PROGRESS;
      if (running.fingerprint === fingerprint) return outcome.replay;
    }
  }

  async #runFirst(recordKey: string, fingerprint: string, execute: Execute): Promise<ApiResponse> {
    const { promise, resolve, reject } = Promise.withResolvers<AttemptOutcome>();
    // Twins may come or not; the failure itself is reported by the first.
    promise.catch(() => undefined);
    const running: InFlightRequest = { fingerprint, keyConfirmed: false, outcome: promise };
    this.#running.set(recordKey, running);
    try {
      const outcome = await this.#answer(recordKey, running, execute);
      resolve(outcome);
      return outcome.response;
    } catch (error) {
      reject(error);
      throw error;
    } finally {
      this.#running.delete(recordKey);
    }
  }

  async #answer(recordKey: string, running: InFlightRequest, execute: Execute): Promise<AttemptOutcome> {
    const wanted = {
      key: recordKey,
      fingerprint: running.fingerprint,
      commandId: this.#commandIds.next(),
      maxWaitMs: this.#longestWait,
      onKeyConfirmed: () => {
        running.keyConfirmed = true;
      },
    };
    let only: string | undefined;
    let own: ApiResponse | undefined;
    for (;;) {
      const answerer = await claimRecord(this.#place, { ...wanted, onlyCommandId: only });
      if (answerer === "reused") return sameOutcome(REUSED);
      if (answerer === "in progress") return sameOutcome(IN_PROGRESS);
      // The key was freed meanwhile: what an overtaken attempt answers contradicts nothing.
      if (answerer === "gone") return sameOutcome(own ?? IN_PROGRESS);
      if ("response" in answerer) return sameOutcome(toReplayedResponse(answerer.response));
      running.keyConfirmed = true;
      const { attempt } = answerer;
      const outcome = await runAttempt(attempt, execute);
      if ("response" in outcome) return outcome;
      only = attempt.identity.commandId;
      own = outcome.ownResponse;
    }
  }
}

function sameOutcome(response: ApiResponse): AttemptOutcome {
  return { response, replay: response };
}

/** Undefined where the deadline comes first. */
async function resultBefore<Value>(
  deadline: number,
  promise: Promise<Value>,
  time: RealTime,
): Promise<Value | undefined> {
  const settled = new AbortController();
  const late = time.pause(Math.max(0, deadline - time.now()), settled.signal).then(() => undefined);
  try {
    return await Promise.race([promise, late]);
  } finally {
    settled.abort();
  }
}
