import type { RecordedEvent } from "@travel-booking/engines/event-store";
import type { Batch, Generation, ReadStore } from "@travel-booking/engines/read-store";
import { categoryOf, type Handler, type Projection } from "../projection.ts";
import { DocumentCache } from "./document-cache.ts";
import { ProjectionFault } from "./projection-fault.ts";

/** One generation of a projection being folded from the log. */
export class ProjectionFold {
  readonly projection: Projection;
  readonly generation: Generation;
  readonly #store: Pick<ReadStore, "documentsOf" | "checkpoint">;
  #cache: DocumentCache;
  #checkpoint: bigint;
  #folded: bigint;

  constructor(
    store: Pick<ReadStore, "documentsOf" | "checkpoint">,
    projection: Projection,
    generation: Generation,
    checkpoint: bigint,
  ) {
    this.#store = store;
    this.projection = projection;
    this.generation = generation;
    this.#checkpoint = checkpoint;
    this.#folded = checkpoint;
    this.#cache = new DocumentCache(projection.models);
  }

  /** Everything up to here is written. */
  get checkpoint(): bigint {
    return this.#checkpoint;
  }

  /** Everything up to here is folded in, if not written. */
  get foldedPosition(): bigint {
    return this.#folded;
  }

  /** Documents that wait to be written. */
  get pendingDocuments(): number {
    return this.#cache.pendingDocuments;
  }

  /**
   * Folds the events that are new.
   * @throws ProjectionFault what was folded since the last `take` is of no use any more: `reset`.
   */
  async fold(events: readonly RecordedEvent[]): Promise<void> {
    const unseen = this.#unseen(events);
    const last = unseen.at(-1);
    if (last === undefined) return;
    await this.#fetch(this.#wrapFault(() => this.#missing(unseen)));
    this.#wrapFault(() => this.#apply(unseen));
    this.#folded = last.position;
  }

  /**
   * What is to be written now; give it to `written` once it is.
   * @throws ProjectionFault
   */
  takeBatch(): Batch {
    return { ...this.generation, writes: this.#wrapFault(() => this.#cache.takeWrites()), checkpoint: this.#folded };
  }

  markWritten(batch: Batch): void {
    this.#checkpoint = batch.checkpoint;
    if (this.#folded < batch.checkpoint) this.#folded = batch.checkpoint;
  }

  /** Forgets everything, and goes on from what is stored. */
  async reloadCheckpoint(): Promise<void> {
    this.#checkpoint = await this.#store.checkpoint(this.generation);
    this.reset();
  }

  /** Forgets what is not written. */
  reset(): void {
    this.#cache = new DocumentCache(this.projection.models);
    this.#folded = this.#checkpoint;
  }

  #unseen(events: readonly RecordedEvent[]): readonly RecordedEvent[] {
    const first = events[0];
    if (first === undefined || first.position > this.#folded) return events;
    return events.filter(({ position }) => position > this.#folded);
  }

  #handler(event: RecordedEvent): Handler | undefined {
    return this.projection.handlers[categoryOf(event.stream)];
  }

  #missing(events: readonly RecordedEvent[]): ReadonlyMap<string, ReadonlySet<string>> {
    const missing = new Map<string, Set<string>>();
    for (const event of events) {
      for (const { model, key } of this.#handler(event)?.reads?.(event) ?? []) {
        if (this.#cache.has(model, key)) continue;
        const keys = missing.get(model);
        if (keys === undefined) missing.set(model, new Set([key]));
        else keys.add(key);
      }
    }
    return missing;
  }

  async #fetch(missing: ReadonlyMap<string, ReadonlySet<string>>): Promise<void> {
    for (const [model, keys] of missing) {
      const wanted = [...keys];
      const documents = await this.#store.documentsOf(this.generation, model, wanted);
      for (const [index, key] of wanted.entries()) this.#cache.putFetched(model, key, documents[index]);
    }
  }

  #apply(events: readonly RecordedEvent[]): void {
    const cache = this.#cache;
    for (const event of events) {
      const handler = this.#handler(event);
      if (handler === undefined) continue;
      cache.beginEvent(event.position);
      for (const change of handler.apply(event, cache)) cache.apply(change);
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
