import { Packr, Unpackr } from "msgpackr";
import type { EventToAppend, RecordedEvent } from "../port.ts";
import { type EventDatabases, loadStructures, type Structures, saveStructures } from "./databases.ts";

/** More shapes than this are stored with their field names in each record. */
const MAX_STRUCTURES = 4_096;

export class StructuresNotStored extends Error {
  override readonly name = "StructuresNotStored";
}

/** Packs events, and stores the structures they refer to. One per store: no other adds structures. */
export class EventPacker {
  readonly #packr: Packr;
  #structures = 0;

  constructor(databases: EventDatabases) {
    const load = (): Structures => {
      const structures = loadStructures(databases);
      this.#structures = structures.length;
      return structures;
    };
    load();
    this.#packr = new Packr({
      maxSharedStructures: MAX_STRUCTURES,
      getStructures: load,
      saveStructures: (structures: Structures & { sharedLength?: number }) => {
        const shared = structures.slice(0, structures.sharedLength);
        try {
          saveStructures(databases, shared);
        } catch (cause) {
          throw new StructuresNotStored("new structures could not be stored", { cause });
        }
        this.#structures = shared.length;
      },
    });
  }

  /** Number of structures needed to unpack everything packed so far. */
  get structures(): number {
    return this.#structures;
  }

  /** Throws if `event` can't be packed. @throws StructuresNotStored the disk is full or broken. */
  pack(event: EventToAppend, stream: string, revision: number, position: bigint): Buffer {
    const recorded: RecordedEvent = {
      stream,
      revision,
      position,
      id: event.id,
      type: event.type,
      version: event.version,
      at: event.at,
      data: event.data,
      metadata: event.metadata,
    };
    return this.#packr.pack(recorded);
  }
}

/** Unpacks events in any thread, and reloads structures when a record needs newer ones. */
export class EventUnpacker {
  readonly #databases: EventDatabases;
  #known = 0;
  #unpackr = new Unpackr({ structures: [] });
  readonly #range = { start: 0, end: 0 };

  constructor(databases: EventDatabases) {
    this.#databases = databases;
  }

  /** False if the store has fewer structures than a record needs. */
  loadStructures(structures: number): boolean {
    if (structures <= this.#known) return true;
    const loaded = loadStructures(this.#databases);
    this.#known = loaded.length;
    this.#unpackr = new Unpackr({ getStructures: () => loaded });
    return structures <= this.#known;
  }

  unpack(record: Buffer, start: number, end: number): RecordedEvent {
    this.#range.start = start;
    this.#range.end = end;
    return this.#unpackr.unpack(record, this.#range);
  }
}
