import { DamagedStore, translateReadErrors } from "../../lmdb/index.ts";
import type { AppendNotifier } from "../append-notifier.ts";
import { type RecordedEvent, START, type SubscribeOptions } from "../port.ts";
import { assertSameLog } from "../same-log.ts";
import type { Upcast } from "../upcasting.ts";
import { CommitRecord } from "./commit-record.ts";
import type { EventDatabases } from "./databases.ts";

const NAME = "event log";
const DEFAULT_BATCH = 1_000;

/** Reads the log, in any thread. Sees only what has been flushed. */
export class EventLog {
  readonly #databases: EventDatabases;
  readonly #appendNotifier: AppendNotifier;
  readonly #upcast: Upcast | undefined;

  constructor(databases: EventDatabases, appendNotifier: AppendNotifier, upcast: Upcast | undefined) {
    this.#databases = databases;
    this.#appendNotifier = appendNotifier;
    this.#upcast = upcast;
  }

  async head(): Promise<bigint> {
    return BigInt(this.lastPosition());
  }

  /** 0 where there is no event. @throws DamagedStore */
  lastPosition(): number {
    return translateReadErrors(NAME, () => this.#readHead());
  }

  #readHead(): number {
    this.#refresh();
    for (const { key, value } of this.#databases.commits.getRange({ reverse: true, limit: 1 })) {
      const last = new CommitRecord(key, value);
      last.verify();
      return last.next - 1;
    }
    return 0;
  }

  /** As `EventStore.subscribe`. */
  async *subscribe({
    after,
    afterEvent,
    signal,
    maxBatch = DEFAULT_BATCH,
  }: SubscribeOptions): AsyncGenerator<RecordedEvent[]> {
    if (!(maxBatch >= 1)) throw new RangeError(`a batch of at most ${maxBatch} events can't be made`);
    // Only once: nobody can put another log under an open one.
    if (afterEvent !== undefined) await assertSameLog(this, [{ position: after, id: afterEvent }]);
    const cursor = newCursor(Number(after) + 1);
    while (!signal.aborted) {
      const seen = this.#appendNotifier.version();
      const batch = translateReadErrors(NAME, () => this.#readBatch(cursor, maxBatch));
      if (batch.length > 0) yield batch;
      else await this.#appendNotifier.waitForChange(seen, signal);
    }
  }

  /** As `EventStore.eventIdAt`. @throws DamagedStore */
  async eventIdAt(position: bigint): Promise<string | undefined> {
    if (position === START) return undefined;
    const [event] = translateReadErrors(NAME, () => this.#readBatch(newCursor(Number(position)), 1));
    return event?.position === position ? event.id : undefined;
  }

  #readBatch(cursor: Cursor, maxBatch: number): RecordedEvent[] {
    const batch: RecordedEvent[] = [];
    if (cursor.record !== undefined) this.#appendTo(cursor, cursor.record, batch, maxBatch);
    if (batch.length === maxBatch) return batch;
    this.#refresh();
    for (const { key, value } of this.#databases.commits.getRange({ start: this.#recordOf(cursor.next) })) {
      const record = new CommitRecord(key, value);
      if (record.next <= cursor.next) continue;
      if (record.first > cursor.next) throw new DamagedStore(NAME, `position ${cursor.next} is missing`);
      this.#appendTo(cursor, record, batch, maxBatch);
      if (batch.length === maxBatch) break;
    }
    return batch;
  }

  #appendTo(cursor: Cursor, record: CommitRecord, batch: RecordedEvent[], maxBatch: number): void {
    const end = Math.min(record.next, cursor.next + maxBatch - batch.length);
    for (const event of record.events().slice(cursor.next - record.first, end - record.first)) {
      batch.push(this.#upcast === undefined ? event : this.#upcast(event));
    }
    cursor.next = end;
    cursor.record = end < record.next ? record : undefined;
  }

  /** The first position of the record with this position. */
  #recordOf(position: number): number {
    const keys = this.#databases.commits.getKeys({ start: position, reverse: true, limit: 1 });
    for (const key of keys) return key;
    return position;
  }

  /** LMDB reads from one snapshot for a while; another thread may have written since. */
  #refresh(): void {
    this.#databases.commits.resetReadTxn();
  }
}

/** State of a subscription: the next position, and the record it has read a part of. */
interface Cursor {
  next: number;
  record: CommitRecord | undefined;
}

function newCursor(next: number): Cursor {
  return { next, record: undefined };
}
