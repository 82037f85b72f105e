import { VersionWatch } from "@travel-booking/engines/leases";
import type { StateRecord } from "@travel-booking/engines/state-store";
import { CommandAttempt } from "./command-attempt.ts";
import { expiryFromNow, type IdempotencyContext } from "./idempotency-context.ts";
import type { IdempotencyRecord, StoredResponse } from "./idempotency-record.ts";

/** Milliseconds of real time between two looks at a record that another process is at work on. */
const INITIAL_POLL_DELAY_MS = 25;
const MAX_POLL_DELAY_MS = 500;

export interface ClaimRequest {
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

export type ClaimResult =
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
