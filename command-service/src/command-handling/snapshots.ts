import { deserialize, serialize } from "node:v8";
import type { EventStore } from "@travel-booking/engines/event-store";
import type { StateStore } from "@travel-booking/engines/state-store";
import type { AnyDecider, FoldedStream } from "./folded-stream.ts";
import type { StreamQueue } from "./stream-queue.ts";

const SPACE = "stream-snapshots";
/** A stream gets a snapshot after so many events, the next one after as many, or after a sixteenth of all events. */
const MIN_EVENTS = 1_000;
const SHARE = 1 / 16;
/** Characters that every state store takes in one record. */
const MAX_SIZE = 8 * 1_024 * 1_024;

/** JSON. */
interface StoredSnapshot {
  /** The versions of the decider and of the serialiser. */
  readonly version: string;
  /** A `FoldedStream` as `node:v8` serialises it, in base64. */
  readonly folded: string;
}

/**
 * Folded states of long streams, so that the first command after a start need not read them whole. A snapshot of
 * another version, or of events that the log lacks, is ignored (docs/decisions/0037-snapshots-of-long-streams.md).
 */
export class Snapshots {
  readonly #state: Pick<StateStore, "get" | "put">;
  readonly #events: Pick<EventStore, "readStream">;

  constructor(state: Pick<StateStore, "get" | "put">, events: Pick<EventStore, "readStream">) {
    this.#state = state;
    this.#events = events;
  }

  /** The folded stream from its snapshot; undefined if there is no usable snapshot. */
  async load(queue: StreamQueue): Promise<FoldedStream | undefined> {
    const { stream, decider } = queue;
    if (decider.snapshotVersion === undefined) return undefined;
    const stored = (await this.#state.get<StoredSnapshot>(SPACE, stream))?.value;
    if (stored?.version !== versionOf(decider)) return undefined;
    const cloned = deserialize(Buffer.from(stored.folded, "base64")) as FoldedStream;
    const [last] = await this.#events.readStream(stream, cloned.revision, 1);
    // A log that was restored from a backup may be behind the snapshot, or have gone on differently.
    const { revision, position, lastAt } = cloned;
    if (last?.revision !== revision || last.position !== position || last.at !== lastAt) return undefined;
    queue.snapshotRevision = revision;
    queue.snapshotSize = stored.folded.length;
    return { ...cloned, state: decider.copy?.(cloned.state), sealed: 0 };
  }

  /** Begins to store a snapshot if one is due. Nothing depends on its success. Everything folded must be durable. */
  saveIfDue(queue: StreamQueue): void {
    const { stream, decider, folded, snapshotRevision } = queue;
    if (folded === undefined || decider.snapshotVersion === undefined) return;
    if (folded.revision - snapshotRevision < Math.max(MIN_EVENTS, snapshotRevision * SHARE)) return;
    queue.snapshotRevision = folded.revision;
    const snapshot = { version: versionOf(decider), folded: serialize(folded).toString("base64") };
    queue.snapshotSize = snapshot.folded.length;
    if (queue.snapshotSize > MAX_SIZE) return;
    this.#state.put<StoredSnapshot>(SPACE, stream, snapshot).catch(() => undefined);
  }
}

function versionOf({ snapshotVersion }: AnyDecider): string {
  return `${snapshotVersion}, V8 ${process.versions.v8}`;
}
