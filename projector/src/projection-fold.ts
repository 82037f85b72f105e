import type { LogMark, RecordedEvent } from "@travel-booking/engines/event-store";
import type { Batch, Generation, ReadStore } from "@travel-booking/engines/read-store";
import { DocumentCache } from "./document-cache.ts";
import { categoryOf, type DocumentKey, type Handler, type Projection } from "./projection.ts";

interface HandledEvent {
  readonly event: RecordedEvent;
  readonly handler: Handler;
}

/** Folds the log into one generation of a projection. */
export class ProjectionFold {
  readonly projection: Projection;
  readonly generation: Generation;
  readonly #store: Pick<ReadStore, "documentsOf" | "checkpoint">;
  #cache: DocumentCache;
  #written: LogMark;
  /** Everything up to here is folded, but not necessarily written. */
  #folded: LogMark;

  constructor(
    store: Pick<ReadStore, "documentsOf" | "checkpoint">,
    projection: Projection,
    generation: Generation,
    checkpoint: LogMark,
  ) {
    this.#store = store;
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
    const handled = this.#handled(events);
    await this.#fetch(this.#wrapFault(() => handled.flatMap(({ event, handler }) => handler.reads(event))));
    this.#wrapFault(() => this.#apply(handled));
    this.#folded = last;
  }

  /**
   * The batch to write now; to be passed to `markWritten` afterwards.
   * @throws ProjectionFault
   */
  takeBatch(): Batch {
    const writes = this.#wrapFault(() => this.#cache.takeWrites());
    return { ...this.generation, writes, checkpoint: this.#folded.position, checkpointEvent: this.#folded.id };
  }

  markWritten({ checkpoint: position, checkpointEvent: id = null }: Batch): void {
    this.#written = { position, id };
    if (this.#folded.position < position) this.#folded = this.#written;
  }

  /** Drops everything in memory and continues from the stored checkpoint. */
  async reloadCheckpoint(): Promise<void> {
    this.#written = await this.#store.checkpoint(this.generation);
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
      return handler === undefined || event.position <= this.#folded.position ? [] : [{ event, handler }];
    });
  }

  async #fetch(wanted: readonly DocumentKey[]): Promise<void> {
    const missing = wanted.filter(({ model, key }) => !this.#cache.has(model, key));
    for (const [model, documents] of Map.groupBy(missing, (document) => document.model)) {
      const keys = [...new Set(documents.map(({ key }) => key))];
      const found = await this.#store.documentsOf(this.generation, model, keys);
      for (const [index, key] of keys.entries()) this.#cache.putFetched(model, key, found[index]);
    }
  }

  #apply(handled: readonly HandledEvent[]): void {
    const cache = this.#cache;
    for (const { event, handler } of handled) {
      for (const change of handler.apply(event, cache)) cache.apply(event.position, change);
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

/** A projection could not handle an event. The cause is what the handler threw. */
export class ProjectionFault extends Error {
  override readonly name = "ProjectionFault";

  constructor(projection: string, cause: unknown) {
    super(`${projection}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
