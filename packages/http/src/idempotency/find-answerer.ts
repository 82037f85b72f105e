import { Watch } from "@travel-booking/engines/leases";
import type { StateRecord } from "@travel-booking/engines/state-store";
import { Attempt } from "./attempt.ts";
import type { IdempotencyRecord, KeptResponse } from "./idempotency-record.ts";
import { keptFromNow, type RecordPlace } from "./record-place.ts";

/** Milliseconds of real time between two looks at a record that another process is at work on. */
const FIRST_PAUSE = 25;
const LONGEST_PAUSE = 500;

export interface Wanted {
  readonly key: string;
  readonly fingerprint: string;
  /** The id of the command where the key is new. */
  readonly commandId: string;
  /** Set: only an attempt at this command will do. */
  readonly only: string | undefined;
  /** Milliseconds of real time it may take. */
  readonly longestWait: number;
  /** Called as soon as the key is known to stand for this request. */
  readonly isOwn: () => void;
}

export type Answerer =
  /** This process: the key is new, or whoever worked on it no longer does. */
  | { readonly attempt: Attempt }
  /** It has been answered. */
  | { readonly response: KeptResponse }
  /** Another process, and it is not done yet. */
  | "in progress"
  /** Nobody: the key stands for another request. */
  | "reused"
  /** Nobody: the key no longer stands for the command that was asked for. */
  | "gone";

type Stored = StateRecord<IdempotencyRecord>;

/** Finds out who answers a request with a key. What another process is at work on is waited for. */
export async function findAnswerer(place: RecordPlace, wanted: Wanted): Promise<Answerer> {
  const { realTime } = place;
  const giveUpAt = realTime.now() + wanted.longestWait;
  const watch = new Watch(realTime);
  let found = await look(place, wanted, watch, wanted.only === undefined);
  for (let pause = FIRST_PAUSE; found === "at work"; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    if (realTime.now() + pause > giveUpAt) return "in progress";
    await realTime.pause(pause);
    found = await look(place, wanted, watch, false);
  }
  return found;
}

async function look(
  place: RecordPlace,
  wanted: Wanted,
  watch: Watch,
  isProbablyNew: boolean,
): Promise<Answerer | "at work"> {
  const { store, space, leaseMs } = place;
  const holder = place.alone ? null : place.holder;
  const { key, fingerprint, commandId, only } = wanted;
  const fresh: IdempotencyRecord = { fingerprint, commandId, response: null, holder };
  const since = place.realTime.now();
  const mine = (record: Stored, first: boolean) => ({ attempt: new Attempt({ place, record, since, first }) });

  const known = isProbablyNew ? undefined : await store.get<IdempotencyRecord>(space, key);
  if (only !== undefined && (known === undefined || isOver(known, place) || known.value.commandId !== only))
    return "gone";
  const { created, record } =
    known === undefined ? await store.create(space, key, fresh, keptFromNow(place)) : { created: false, record: known };
  if (created) return mine(record, true);

  const { value, version, expiresAt } = record;
  if (isOver(record, place)) {
    const begun = await store.replace(space, key, version, fresh, keptFromNow(place));
    return begun === undefined ? "at work" : mine(begun, true);
  }
  if (value.fingerprint !== fingerprint) return "reused";
  wanted.isOwn();
  if (value.response !== null) return { response: value.response };
  // Whoever else was alone with this store is no more; and under its own name a process has nothing else under way.
  if (place.alone) return mine(record, false);
  const worker = value.holder ?? null;
  const isFree = worker === null || worker === holder || watch.stoodFor(`${version} ${value.commandId}`) >= leaseMs;
  if (!isFree) return "at work";
  const taken = await store.replace(space, key, version, { ...value, holder }, { expiresAt });
  return taken === undefined ? "at work" : mine(taken, false);
}

/** Whether the key is as good as new. */
function isOver({ value, expiresAt }: Stored, { clock }: RecordPlace): boolean {
  return value.freed === true || (expiresAt !== null && expiresAt <= clock.now());
}
