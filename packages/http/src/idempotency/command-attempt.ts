import { LEASE_DURATION_MS, RecordLease, VersionWatch } from "@travel-booking/engines/leases/record";
import type { StateRecord, StateStore } from "@travel-booking/engines/state-store";
import { EngineUnavailable } from "@travel-booking/engines/unavailable";
import type { Clock } from "@travel-booking/runtime";
import type { RealTime } from "@travel-booking/runtime/real-time";
import type { ApiRequest, ApiResponse, CommandIdentity } from "../route.ts";
import {
  type AnswerSealer,
  expiryFromNow,
  type IdempotencyRecord,
  isFinalResponse,
  isRetryable,
  SPACE,
  type StoredResponse,
  toStoredResponse,
} from "./idempotency-record.ts";

/** The store of the records, and how this process claims them. */
export interface AttemptContext {
  readonly store: StateStore;
  readonly clock: Clock;
  readonly realTime: RealTime;
  /** The name of this process. Null: no other process uses the store, so records need no leases. */
  readonly holder: string | null;
  /** The keys that requests in this process are claiming, or have claimed. */
  readonly claimedHere: Set<string>;
}

export interface ClaimRequest {
  readonly key: string;
  readonly fingerprint: string;
  readonly formerFingerprint: string | undefined;
  /** The id of the command if the key is new. */
  readonly commandId: string;
  /** If set, the claim succeeds only for this command. */
  readonly onlyCommandId: string | undefined;
  /** Milliseconds of real time to wait for another request. */
  readonly maxWaitMs: number;
  readonly waitUncounted: ApiRequest["waitUncounted"];
}

type ClaimResult =
  /** This process has the lease: the key is new, or its holder failed or died. */
  | { readonly attempt: CommandAttempt }
  | { readonly response: StoredResponse }
  /** Another request still runs the command. */
  | "in progress"
  /** The key was used for another request. */
  | "reused"
  /** The key no longer belongs to `onlyCommandId`. */
  | "gone";

/** Milliseconds of real time between two polls of a record that another request holds. */
const INITIAL_POLL_DELAY_MS = 25;
const MAX_POLL_DELAY_MS = 500;

/** Claims the record of a key, waiting while another request holds it, in this process or in another. */
export async function claim(context: AttemptContext, request: ClaimRequest): Promise<ClaimResult> {
  const { realTime } = context;
  const giveUpAt = realTime.now() + request.maxWaitMs;
  const watch = new VersionWatch(realTime);
  // Most keys are new: the first try creates the record instead of looking for it.
  let result = await claimHere(context, request, watch, request.onlyCommandId === undefined);
  // Without jitter, unlike `Backoff`: waiting clients poll a store that works.
  for (let delay = INITIAL_POLL_DELAY_MS; result === "held"; delay = Math.min(2 * delay, MAX_POLL_DELAY_MS)) {
    if (realTime.now() + delay > giveUpAt) return "in progress";
    await request.waitUncounted(realTime.pause(delay));
    result = await claimHere(context, request, watch, false);
  }
  return result;
}

/** One try. Claims the key within this process first, and gives it back if the record can't be claimed. */
async function claimHere(
  context: AttemptContext,
  request: ClaimRequest,
  watch: VersionWatch,
  isProbablyNew: boolean,
): Promise<ClaimResult | "held"> {
  const { claimedHere, store, clock } = context;
  const { key } = request;
  if (claimedHere.has(key)) {
    const known = await store.get<IdempotencyRecord>(SPACE, key);
    if (isGone(known, request, clock)) return "gone";
    return (known && !countsAsNew(known, clock) && settledBy(known, request)) || "held";
  }
  claimedHere.add(key);
  let isClaimed = false;
  try {
    const result = await tryClaim(context, request, watch, isProbablyNew);
    isClaimed = typeof result === "object" && "attempt" in result;
    return result;
  } finally {
    if (!isClaimed) claimedHere.delete(key);
  }
}

/** Expired, or freed. */
function countsAsNew({ value, expiresAt }: StateRecord<IdempotencyRecord>, clock: Clock): boolean {
  return value.freed === true || (expiresAt !== null && expiresAt <= clock.now());
}

/** Whether the record now belongs to another command than the only one that may claim it. */
function isGone(
  known: StateRecord<IdempotencyRecord> | undefined,
  { onlyCommandId }: ClaimRequest,
  clock: Clock,
): boolean {
  if (onlyCommandId === undefined) return false;
  return known === undefined || countsAsNew(known, clock) || known.value.commandId !== onlyCommandId;
}

/** The result that the record has for a request; undefined while its command is unfinished. */
function settledBy(
  { value: { fingerprint, response } }: StateRecord<IdempotencyRecord>,
  request: ClaimRequest,
): ClaimResult | undefined {
  if (fingerprint !== request.fingerprint && fingerprint !== request.formerFingerprint) return "reused";
  return response === null ? undefined : { response };
}

async function tryClaim(
  context: AttemptContext,
  request: ClaimRequest,
  watch: VersionWatch,
  isProbablyNew: boolean,
): Promise<ClaimResult | "held"> {
  const { store, clock, realTime, holder } = context;
  const { key, fingerprint, commandId } = request;
  const fresh: IdempotencyRecord = { fingerprint, commandId, response: null, holder };
  const acquiredAt = realTime.now();
  const claimed = (record: StateRecord<IdempotencyRecord>, first: boolean) => ({
    attempt: new CommandAttempt(context, record, acquiredAt, first),
  });

  const known = isProbablyNew ? undefined : await store.get<IdempotencyRecord>(SPACE, key);
  if (isGone(known, request, clock)) return "gone";
  const { created, record } =
    known === undefined
      ? await store.create(SPACE, key, fresh, { ...expiryFromNow(clock), awaitFlush: false })
      : { created: false, record: known };
  if (created) return claimed(record, true);

  const { value, version, expiresAt } = record;
  if (countsAsNew(record, clock)) {
    const replaced = await store.replace(SPACE, key, version, fresh, expiryFromNow(clock));
    return replaced === undefined ? "held" : claimed(replaced, true);
  }
  const settled = settledBy(record, request);
  if (settled !== undefined) return settled;
  // The command is unfinished. No other process can hold its record, and this one claims a key once at a time.
  if (holder === null) return claimed(record, false);
  const current = value.holder ?? null;
  // The record was released, or is still ours after a failed release, or its lease has expired.
  const isFree =
    current === null ||
    current === holder ||
    watch.unchangedForMs(`${version} ${value.commandId}`) >= LEASE_DURATION_MS;
  if (!isFree) return "held";
  const taken = await store.replace(SPACE, key, version, { ...value, holder }, { expiresAt });
  return taken === undefined ? "held" : claimed(taken, false);
}

export type Execute = (identity: CommandIdentity) => ApiResponse | Promise<ApiResponse>;

type AttemptOutcome =
  | { readonly response: ApiResponse }
  /** Another attempt has taken the command over. `ownResponse` is what this one would have sent, if it has ended. */
  | { readonly ownResponse: ApiResponse | undefined };

/** Another attempt has taken the command over, because this one seemed dead. The other responds; this one stops. */
class Superseded extends Error {
  override readonly name = "Superseded";
}

/**
 * The command has run, but its response could not be stored under its key. The response must not be sent, since a
 * repeated request might get another one. A retry with the same key runs the same command again.
 */
export class ResponseNotStored extends Error {
  override readonly name = "ResponseNotStored";
  /** The command may have had effects. */
  readonly outcomeUnknown = true;

  constructor(cause: unknown) {
    super("the answer to a request could not be kept under its Idempotency-Key", { cause });
  }
}

/** An attempt of this process at the command of a key. It holds the lease of the key's record. */
class CommandAttempt implements CommandIdentity {
  readonly commandId: string;
  readonly storesResponse: boolean;
  mayHaveActed: boolean;
  readonly #context: AttemptContext;
  readonly #lease: RecordLease<IdempotencyRecord>;
  readonly #first: boolean;

  /** `acquiredAt` is the real time before the write that claimed the record; `first`: there was no earlier attempt. */
  constructor(context: AttemptContext, record: StateRecord<IdempotencyRecord>, acquiredAt: number, first: boolean) {
    const { store, realTime } = context;
    this.commandId = record.value.commandId;
    this.storesResponse = store.sharesLog === true;
    this.mayHaveActed = !first;
    this.#context = context;
    this.#lease = new RecordLease(store, SPACE, record, { acquiredAt, realTime });
    this.#first = first;
  }

  /** True if no other process uses the store, so none can have taken the command over. */
  get #isAlone(): boolean {
    return this.#context.holder === null;
  }

  get repeated(): boolean {
    const { lapsed } = this;
    return !this.#first || lapsed;
  }

  get lapsed(): boolean {
    if (this.#lease.isLost) throw new Superseded("another attempt has taken this command over");
    return !(this.#isAlone || this.#lease.isValid);
  }

  /** Runs the command and stores its response. Errors of the command pass through. */
  async run(execute: Execute, sealer: AnswerSealer): Promise<AttemptOutcome> {
    let response: ApiResponse;
    try {
      response = await this.#execute(execute);
    } catch (error) {
      if (error instanceof Superseded) return { ownResponse: undefined };
      const nothingAttempted = !this.mayHaveActed && error instanceof EngineUnavailable && !error.outcomeUnknown;
      // With the key released, the next request counts as the first attempt.
      await (nothingAttempted ? this.#releaseKey().catch(() => undefined) : this.#releaseLease());
      throw error;
    }
    if (isFinalResponse(response)) {
      const isStored = await this.#storeResponse(response, sealer);
      return isStored ? { response } : { ownResponse: response };
    }
    if (isRetryable(response)) await this.#releaseLease();
    else await this.#releaseKey();
    return { response };
  }

  async #execute(execute: Execute): Promise<ApiResponse> {
    if (this.#isAlone) return execute(this);
    const done = new AbortController();
    const renewal = this.#lease.renewUntil(done.signal);
    try {
      return await execute(this);
    } finally {
      done.abort();
      await renewal;
    }
  }

  /** False if another attempt has taken the command over, so that only its response counts. */
  async #storeResponse(response: ApiResponse, sealer: AnswerSealer): Promise<boolean> {
    try {
      const stored = await toStoredResponse(response, sealer);
      return await this.#lease.write({ ...this.#lease.value, response: stored, holder: null });
    } catch (error) {
      throw new ResponseNotStored(error);
    }
  }

  /** Lets a retry run the command at once. */
  async #releaseLease(): Promise<void> {
    if (this.#isAlone) return;
    // If this fails, the retry has to wait until the lease expires.
    await this.#lease.write({ ...this.#lease.value, holder: null }).catch(() => false);
  }

  /** Frees the key for any request. */
  async #releaseKey(): Promise<void> {
    const { store, clock } = this.#context;
    if (this.#isAlone) return store.remove(SPACE, this.#lease.key);
    // The record stays, so that its version keeps growing: a late write of another process never fits a new record.
    await this.#lease.write({ ...this.#lease.value, holder: null, freed: true }, expiryFromNow(clock));
  }
}
