import { RecordLease, VersionWatch } from "@travel-booking/engines/leases";
import type { StateRecord } from "@travel-booking/engines/state-store";
import type { ApiResponse, CommandIdentity } from "../route.ts";
import {
  expiryFromNow,
  type IdempotencyContext,
  type IdempotencyRecord,
  isFinalResponse,
  isRetryable,
  type StoredResponse,
  toReplayedResponse,
  toStoredResponse,
} from "./idempotency-record.ts";

/** Milliseconds of real time between two looks at a record that another process is at work on. */
const INITIAL_POLL_DELAY_MS = 25;
const MAX_POLL_DELAY_MS = 500;

interface ClaimRequest {
  readonly key: string;
  readonly fingerprint: string;
  /** The id of the command where the key is new. */
  readonly commandId: string;
  /** Set: only an attempt at this command will do. */
  readonly onlyCommandId: string | undefined;
  /** Milliseconds of real time it may take. */
  readonly maxWaitMs: number;
  /** Called as soon as the key is known to stand for this request. */
  readonly onKeyConfirmed: () => void;
}

type ClaimResult =
  /** This process: the key is new, or whoever worked on it no longer does. */
  | { readonly attempt: CommandAttempt }
  /** It has been answered. */
  | { readonly response: StoredResponse }
  /** Another process, and it is not done yet. */
  | "in progress"
  /** Nobody: the key stands for another request. */
  | "reused"
  /** Nobody: the key no longer stands for the command that was asked for. */
  | "gone";

type IdempotencyStateRecord = StateRecord<IdempotencyRecord>;

/** Finds out who answers a request with a key. What another process is at work on is waited for. */
export async function claimRecord(place: IdempotencyContext, wanted: ClaimRequest): Promise<ClaimResult> {
  const { realTime } = place;
  const giveUpAt = realTime.now() + wanted.maxWaitMs;
  const watch = new VersionWatch(realTime);
  let found = await tryClaim(place, wanted, watch, wanted.onlyCommandId === undefined);
  for (let pause = INITIAL_POLL_DELAY_MS; found === "at work"; pause = Math.min(2 * pause, MAX_POLL_DELAY_MS)) {
    if (realTime.now() + pause > giveUpAt) return "in progress";
    await realTime.pause(pause);
    found = await tryClaim(place, wanted, watch, false);
  }
  return found;
}

async function tryClaim(
  place: IdempotencyContext,
  wanted: ClaimRequest,
  watch: VersionWatch,
  isProbablyNew: boolean,
): Promise<ClaimResult | "at work"> {
  const { store, space, leaseMs } = place;
  const holder = place.singleProcess ? null : place.holder;
  const { key, fingerprint, commandId, onlyCommandId } = wanted;
  const fresh: IdempotencyRecord = { fingerprint, commandId, response: null, holder };
  const since = place.realTime.now();
  const mine = (record: IdempotencyStateRecord, first: boolean) => ({
    attempt: new CommandAttempt({ context: place, record, leaseStartedAt: since, first }),
  });

  const known = isProbablyNew ? undefined : await store.get<IdempotencyRecord>(space, key);
  if (
    onlyCommandId !== undefined &&
    (known === undefined || isExpiredOrFreed(known, place) || known.value.commandId !== onlyCommandId)
  )
    return "gone";
  const { created, record } =
    known === undefined
      ? await store.create(space, key, fresh, expiryFromNow(place))
      : { created: false, record: known };
  if (created) return mine(record, true);

  const { value, version, expiresAt } = record;
  if (isExpiredOrFreed(record, place)) {
    const begun = await store.replace(space, key, version, fresh, expiryFromNow(place));
    return begun === undefined ? "at work" : mine(begun, true);
  }
  if (value.fingerprint !== fingerprint) return "reused";
  wanted.onKeyConfirmed();
  if (value.response !== null) return { response: value.response };
  // Whoever else was alone with this store is no more; and under its own name a process has nothing else under way.
  if (place.singleProcess) return mine(record, false);
  const worker = value.holder ?? null;
  const isFree =
    worker === null || worker === holder || watch.unchangedForMs(`${version} ${value.commandId}`) >= leaseMs;
  if (!isFree) return "at work";
  const taken = await store.replace(space, key, version, { ...value, holder }, { expiresAt });
  return taken === undefined ? "at work" : mine(taken, false);
}

/** Whether the key is as good as new. */
function isExpiredOrFreed({ value, expiresAt }: IdempotencyStateRecord, { clock }: IdempotencyContext): boolean {
  return value.freed === true || (expiresAt !== null && expiresAt <= clock.now());
}

export type Execute = (identity: CommandIdentity) => ApiResponse | Promise<ApiResponse>;

interface CommandAttemptOptions {
  readonly context: IdempotencyContext;
  readonly record: StateRecord<IdempotencyRecord>;
  /** When the write that put this process's name on the record was sent; real time. */
  readonly leaseStartedAt: number;
  /** No attempt was made before. */
  readonly first: boolean;
}

/** An attempt at the command of a key by the process that the key's record names. */
class CommandAttempt {
  readonly identity: CommandIdentity;
  readonly #place: IdempotencyContext;
  readonly #held: RecordLease<IdempotencyRecord>;

  constructor({ context, record, leaseStartedAt, first }: CommandAttemptOptions) {
    const { store, space, realTime } = context;
    const lengthMs = context.singleProcess ? Number.POSITIVE_INFINITY : context.leaseMs;
    const held = new RecordLease({ store, space, record, acquiredAt: leaseStartedAt, durationMs: lengthMs, realTime });
    this.#place = context;
    this.#held = held;
    const { commandId } = record.value;
    this.identity = context.singleProcess
      ? { commandId, repeated: !first }
      : new LeasedIdentity(commandId, first, held);
  }

  /** Carries out the command, and shows others meanwhile that somebody is at work on it. */
  async run(execute: Execute): Promise<ApiResponse> {
    if (this.#place.singleProcess) return execute(this.identity);
    const done = new AbortController();
    const keeping = this.#held.renewUntil(done.signal);
    try {
      return await execute(this.identity);
    } finally {
      done.abort();
      await keeping;
    }
  }

  /** Keeps the answer under the key; false where another attempt has taken over: what that one answers counts. */
  storeResponse(response: StoredResponse): Promise<boolean> {
    return this.#held.write({ ...this.#held.value, response, holder: null }, expiryFromNow(this.#place));
  }

  /** Lets a retry take the command up at once. */
  async releaseLease(): Promise<void> {
    if (this.#place.singleProcess) return;
    // Where this fails the retry has to wait until the lease has run out.
    await this.#held.write({ ...this.#held.value, holder: null }).catch(() => false);
  }

  /** Frees the key for any request. */
  async releaseKey(): Promise<void> {
    const { store, space, singleProcess } = this.#place;
    if (singleProcess) return store.remove(space, this.#held.key);
    // The record stays, so that its versions go on counting: a late write of somebody else's never fits a new record.
    await this.#held.write({ ...this.#held.value, holder: null, freed: true }, expiryFromNow(this.#place));
  }
}

class LeasedIdentity implements CommandIdentity {
  readonly commandId: string;
  readonly #first: boolean;
  readonly #held: RecordLease<IdempotencyRecord>;

  constructor(commandId: string, first: boolean, held: RecordLease<IdempotencyRecord>) {
    this.commandId = commandId;
    this.#first = first;
    this.#held = held;
  }

  get repeated(): boolean {
    if (this.#held.isLost) throw new Superseded("another attempt has taken this command over");
    return !this.#first || !this.#held.isValid;
  }
}

export interface AttemptOutcome {
  readonly response: ApiResponse;
  /** What whoever asks again is answered: the kept response, or this one where it was not kept. */
  readonly replay: ApiResponse;
}

/** Another attempt has taken the command over; `own` is what this one would have answered, where it got so far. */
interface SupersededOutcome {
  readonly ownResponse: ApiResponse | undefined;
}

/** Carries the command out and leaves its record as the response asks for. A failure is thrown on. */
export async function runAttempt(
  attempt: CommandAttempt,
  execute: Execute,
): Promise<AttemptOutcome | SupersededOutcome> {
  let response: ApiResponse;
  try {
    response = await attempt.run(execute);
  } catch (error) {
    if (error instanceof Superseded) return { ownResponse: undefined };
    await attempt.releaseLease();
    throw error;
  }
  if (isFinalResponse(response)) {
    const kept = toStoredResponse(response);
    const isKept = await attempt.storeResponse(kept).catch((error) => {
      throw new ResponseNotStored(error);
    });
    return isKept ? { response, replay: toReplayedResponse(kept) } : { ownResponse: response };
  }
  if (isRetryable(response)) await attempt.releaseLease();
  else await attempt.releaseKey();
  return { response, replay: response };
}

/**
 * Another attempt has taken this command over, here or elsewhere, because this one seemed to be dead: it gives the
 * answer, and this one has to leave it at that.
 */
export class Superseded extends Error {
  override readonly name = "Overtaken";
}

/**
 * The command was carried out, and its answer could not be kept under its key: it must not be given, since a repetition
 * might be answered otherwise. The same key carries the same command out again.
 */
export class ResponseNotStored extends Error {
  override readonly name = "AnswerNotKept";
  /** Something may have been done. */
  readonly outcomeUnknown = true;

  constructor(cause: unknown) {
    super("the answer to a request could not be kept under its Idempotency-Key", { cause });
  }
}
