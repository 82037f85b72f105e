import { type CommitRecord, damagedRecord, isIntact, isJson, JsonRecord } from "./commit-record.ts";
import type { EventDatabases } from "./databases.ts";
import { PackedEvents, PackedRecord } from "./packed-record.ts";

/** Opens commit records, of earlier releases too. */
export class RecordReader {
  readonly #packedEvents: PackedEvents;

  constructor(databases: EventDatabases) {
    this.#packedEvents = new PackedEvents(databases);
  }

  /** @throws DamagedStore */
  open(first: number, record: Buffer): CommitRecord {
    if (!isIntact(record)) throw damagedRecord(first, "is not what was written");
    return isJson(record) ? new JsonRecord(first, record) : new PackedRecord(first, record, this.#packedEvents);
  }
}
