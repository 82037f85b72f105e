import type { LogMark, RecordedEvent } from "@travel-booking/engines/event-store";
import type { Generation, ReadStore } from "@travel-booking/engines/read-store";
import { keyIdOf, type OpenBatch } from "@travel-booking/read-models/sealed-words";
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
   * @throws ProjectionFault what was folded since the last batch is useless: `reset`.
   */
  async fold(events: readonly RecordedEvent[]): Promise<void> {
    const last = events.at(-1);
    if (last === undefined || last.position <= this.#folded.position) return;
    const handled = this.#wrapFault(() => this.#handled(events));
    await this.#fetch(handled.flatMap(({ reads }) => reads));
    this.#wrapFault(() => this.#apply(handled));
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

  async #fetch(wanted: readonly DocumentKey[]): Promise<void> {
    const missing = wanted.filter(({ model, key }) => !this.#cache.has(model, key));
    for (const [model, documents] of Map.groupBy(missing, (document) => document.model)) {
      const keys = [...new Set(documents.map(({ key }) => key))];
      const found = await this.#documents.documentsOf(this.generation, model, keys);
      for (const [index, key] of keys.entries()) this.#cache.putFetched(model, key, found[index]);
    }
  }

  #apply(handled: readonly HandledEvent[]): void {
    const cache = this.#cache;
    for (const { event, handler, reads } of handled) {
      const changes = handler.apply(event, cache);
      if (changes.length === 0) continue;
      // An event without words of its own may change a document that has some of the same person.
      const keyId = event.sealed === undefined ? firstKeyId(reads, cache) : keyIdOf(event.sealed);
      // What is large in an event is what people wrote.
      for (const change of changes) cache.apply(event.position, change, keyId, event.sealed?.length);
    }
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
