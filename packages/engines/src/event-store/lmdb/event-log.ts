import { DamagedStore, translateReadErrors } from "../../lmdb/index.ts";
import type { AppendNotifier } from "../append-notifier.ts";
import { assertSameLog } from "../known-log.ts";
import { MAX_BATCH_BYTES, type RecordedEvent, START, type SubscribeOptions } from "../port.ts";
import type { Upcast } from "../upcasting.ts";
import { CommitRecord } from "./commit-record.ts";
import type { EventDatabases } from "./databases.ts";

const NAME = "event log";
const DEFAULT_BATCH = 1_000;

/** Reads the log, in any thread. Sees only what has been flushed. */
export class EventLog {
  protected readonly databases: EventDatabases;
  protected readonly appendNotifier: AppendNotifier;
  protected readonly upcast: Upcast | undefined;

  constructor(databases: EventDatabases, appendNotifier: AppendNotifier, upcast: Upcast | undefined) {
    this.databases = databases;
    this.appendNotifier = appendNotifier;
    this.upcast = upcast;
  }

  async head(): Promise<bigint> {
    return BigInt(this.lastPosition());
  }

  /** 0 if there is no event. @throws DamagedStore */
  lastPosition(): number {
    return translateReadErrors(NAME, () => {
      this.#refresh();
      for (const { key, value } of this.databases.commits.getRange({ reverse: true, limit: 1 })) {
        const last = new CommitRecord(key, value);
        last.verify();
        return last.next - 1;
      }
      return 0;
    });
  }

  /** As `EventStore.subscribe`. */
  async *subscribe({
    after,
    afterEvent,
    signal,
    maxBatch = DEFAULT_BATCH,
  }: SubscribeOptions): AsyncGenerator<RecordedEvent[]> {
    if (!(maxBatch >= 1)) throw new RangeError(`a batch of at most ${maxBatch} events can't be made`);
    // Checked only once, because no other process can replace the log while it is open.
    if (afterEvent !== undefined) await assertSameLog(this, [{ position: after, id: afterEvent }]);
    let next = Number(after) + 1;
    while (!signal.aborted) {
      const seen = this.appendNotifier.version();
      const batch = this.#readFrom(next, maxBatch);
      next += batch.length;
      if (batch.length > 0) yield batch;
      else await this.appendNotifier.waitForChange(seen, signal);
    }
  }

  /** As `EventStore.eventIdAt`. @throws DamagedStore */
  async eventIdAt(position: bigint): Promise<string | undefined> {
    if (position === START) return undefined;
    const [event] = this.#readFrom(Number(position), 1);
    return event?.position === position ? event.id : undefined;
  }

  /** At most so many events from a position on. The next call reads the rest of a record again. */
  #readFrom(position: number, most: number): RecordedEvent[] {
    return translateReadErrors(NAME, () => {
      const events: RecordedEvent[] = [];
      let bytes = 0;
      this.#refresh();
      for (const { key, value } of this.databases.commits.getRange({ start: this.#recordOf(position) })) {
        if (events.length >= most || bytes >= MAX_BATCH_BYTES) break;
        bytes += value.length;
        const record = new CommitRecord(key, value);
        const next = position + events.length;
        if (record.first > next) throw new DamagedStore(NAME, `position ${next} is missing`);
        const from = next - record.first;
        if (record.next > next) events.push(...record.events().slice(from, from + most - events.length));
      }
      return this.upcast === undefined ? events : events.map(this.upcast);
    });
  }

  /** The first position of the record that holds this position. */
  #recordOf(position: number): number {
    const keys = this.databases.commits.getKeys({ start: position, reverse: true, limit: 1 });
    for (const key of keys) return key;
    return position;
  }

  /** LMDB reads from one snapshot for a while, but another thread may have written since. */
  #refresh(): void {
    this.databases.commits.resetReadTxn();
  }
}
