import type { LogMark, RecordedEvent } from "@travel-booking/engines/event-store";
import type { Generation, ReadStore } from "@travel-booking/engines/read-store";
import { keyIdOf, type OpenBatch, WORDS_OF_MODELS } from "@travel-booking/read-models/sealed-words";
import { DocumentCache } from "./document-cache.ts";
import { categoryOf, type DocumentKey, type Handler, type Projection } from "./projection.ts";

interface HandledEvent {
  readonly event: RecordedEvent;
  readonly handler: Handler;
  /** What the handler reads for it. */
  readonly reads: readonly DocumentKey[];
}

/** Folds the log into one generation of a projection. */
export class ProjectionFold {
  readonly projection: Projection;
  readonly generation: Generation;
  readonly #documents: Pick<ReadStore, "documentsOf" | "checkpoint">;
  #cache: DocumentCache;
  #written: LogMark;
  /** Everything up to here is folded, but not necessarily written. */
  #folded: LogMark;

  constructor(
    documents: Pick<ReadStore, "documentsOf" | "checkpoint">,
    projection: Projection,
    generation: Generation,
    checkpoint: LogMark,
  ) {
    this.#documents = documents;
    this.projection = projection;
    this.generation = generation;
    this.#written = checkpoint;
    this.#folded = checkpoint;
    this.#cache = new DocumentCache(projection.models, checkpoint.position);
  }

  /** Everything up to here is written. */
  get checkpoint(): LogMark {
    return this.#written;
  }

  /**
   * Folds the events that are not folded yet.
   * @param write takes a batch. Called between two events where much is unwritten.
   * @throws ProjectionFault what was folded since the last batch is useless: `reset`.
   */
  async fold(events: readonly RecordedEvent[], write: () => Promise<void>): Promise<void> {
    const last = events.at(-1);
    if (last === undefined || last.position <= this.#folded.position) return;
    let rest = this.#wrapFault(() => this.#handled(events));
    while (rest.length > 0) {
      if (this.#cache.isFull) await write();
      const ready = await this.#fetch(rest);
      const applied = this.#wrapFault(() => this.#apply(ready));
      this.#folded = rest[applied - 1]?.event ?? this.#folded;
      rest = rest.slice(applied);
    }
    this.#folded = last;
  }

  /**
   * The batch to write now; to be passed to `markWritten` afterwards.
   * @throws ProjectionFault
   */
  takeBatch(): OpenBatch {
    const writes = this.#wrapFault(() => this.#cache.takeWrites());
    return { ...this.generation, writes, checkpoint: this.#folded.position, checkpointEvent: this.#folded.id };
  }

  markWritten({ checkpoint: position, checkpointEvent: id = null }: OpenBatch): void {
    this.#written = { position, id };
    if (this.#folded.position < position) this.#folded = this.#written;
  }

  /** Drops everything in memory and continues from the stored checkpoint. */
  async reloadCheckpoint(): Promise<void> {
    this.#written = await this.#documents.checkpoint(this.generation);
    this.reset();
  }

  /** Drops what is not written, and leaves out everything up to `skipped`, if given. */
  reset(skipped: LogMark = this.#written): void {
    this.#cache = new DocumentCache(this.projection.models, this.#written.position);
    this.#folded = skipped;
  }

  #handled(events: readonly RecordedEvent[]): readonly HandledEvent[] {
    return events.flatMap((event) => {
      const handler = this.projection.handlers[categoryOf(event.stream)];
      return handler === undefined || event.position <= this.#folded.position
        ? []
        : [{ event, handler, reads: handler.reads(event) }];
    });
  }

  /** Fetches what is not cached of what the first events read, and returns those that have all of it by now. */
  async #fetch(handled: readonly HandledEvent[]): Promise<readonly HandledEvent[]> {
    const isMissing = ({ model, key }: DocumentKey) => !this.#cache.has(model, key);
    const missing: DocumentKey[] = [];
    const first: HandledEvent[] = [];
    for (const one of handled) {
      if (first.length > 0 && this.#cache.isFull) break;
      missing.push(...one.reads.filter(isMissing));
      first.push(one);
    }
    let isWhole = true;
    for (const [model, documents] of Map.groupBy(missing, (document) => document.model)) {
      const keys = [...new Set(documents.map(({ key }) => key))];
      const found = await this.#documents.documentsOf(this.generation, model, keys);
      for (const [index, document] of found.entries()) this.#cache.putFetched(model, keys[index] as string, document);
      if (found.length < keys.length) isWhole = false;
    }
    return isWhole
      ? first
      : first.slice(
          0,
          first.findIndex(({ reads }) => reads.some(isMissing)),
        );
  }

  /** Returns how many are folded: the cache is full, or it is all of them. */
  #apply(handled: readonly HandledEvent[]): number {
    const cache = this.#cache;
    for (const [index, { event, handler, reads }] of handled.entries()) {
      if (index > 0 && cache.isFull) return index;
      const changes = handler.apply(event, cache);
      if (changes.length === 0) continue;
      // An event without words of its own may change a document that has some of the same person.
      const keyId = event.sealed === undefined ? firstKeyId(reads, cache) : keyIdOf(event.sealed);
      for (const change of changes) {
        // What is large in an event is what people wrote, and only some models keep it.
        const size = WORDS_OF_MODELS[change.model] === undefined ? 0 : event.sealed?.length;
        cache.apply(event.position, change, keyId, size);
      }
    }
    return handled.length;
  }

  #wrapFault<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      throw new ProjectionFault(this.projection.name, error);
    }
  }
}

function firstKeyId(reads: readonly DocumentKey[], cache: DocumentCache): string | undefined {
  return reads.map((key) => cache.keyId(key)).find((keyId) => keyId !== undefined);
}

/** A projection could not handle an event. The cause is what the handler threw. */
export class ProjectionFault extends Error {
  override readonly name = "ProjectionFault";

  constructor(projection: string, cause: unknown) {
    super(`${projection}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
