import type { EventStore, RecordedEvent } from "@travel-booking/engines/event-store";
import type { Batch, ReadStore } from "@travel-booking/engines/read-store";
import { BackOff, type BackOffOptions, Exclusive } from "@travel-booking/runtime/real-time";
import { isFaultOfProjection } from "../folding/fault.ts";
import { foldCarefully, type Poison } from "../folding/fold-carefully.ts";
import type { ProjectionFold } from "../folding/projection-fold.ts";
import { rest } from "./rest.ts";

/** At most so many events are folded before they are written. */
const MAX_BATCH = 10_000;

export interface GroupOptions {
  readonly eventStore: Pick<EventStore, "subscribe">;
  readonly readStore: Pick<ReadStore, "write">;
  readonly backOff: BackOffOptions;
  /** Everything the fold has reached can be read. */
  readonly advanced: (fold: ProjectionFold) => void;
  readonly isSkipped: (fold: ProjectionFold, poison: Poison) => boolean;
  /** It has left the group. */
  readonly poisoned: (fold: ProjectionFold, poison: Poison) => void;
  /** An engine failed; false ends the group for good. */
  readonly failed: (error: unknown) => boolean;
}

/** The live projections: one subscription feeds them all, and one write per batch stores what they make of it. */
export class Group {
  readonly #options: GroupOptions;
  readonly #members = new Map<string, ProjectionFold>();
  readonly #exclusive = new Exclusive();
  #position: bigint;

  constructor(options: GroupOptions, position: bigint) {
    this.#options = options;
    this.#position = position;
  }

  /** Every member has seen the events up to here. */
  get position(): bigint {
    return this.#position;
  }

  has(name: string): boolean {
    return this.#members.has(name);
  }

  /** Takes part, in the place of the generation that did. Inside `exclusively`, when it has reached `position`. */
  join(fold: ProjectionFold): void {
    this.#members.set(fold.projection.name, fold);
    this.#options.advanced(fold);
  }

  /** Runs between two batches: no member moves meanwhile. */
  exclusively<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#exclusive.run(work);
  }

  /** Ends when the signal aborts, or an engine failed for good. */
  async run(signal: AbortSignal): Promise<void> {
    const backOff = new BackOff(this.#options.backOff);
    let hasFailed = false;
    while (!signal.aborted) {
      try {
        if (hasFailed) await this.#exclusive.run(() => this.#startOver());
        hasFailed = false;
        const batches = this.#options.eventStore.subscribe({ after: this.#position, signal, maxBatch: MAX_BATCH });
        for await (const events of batches) {
          const started = performance.now();
          await this.#exclusive.run(() => this.#step(events));
          backOff.succeeded();
          // A full batch says that there is more waiting already.
          if (events.length < MAX_BATCH) await rest(performance.now() - started, signal);
        }
      } catch (error) {
        hasFailed = true;
        if (!this.#options.failed(error)) return;
        await backOff.pause(signal);
      }
    }
  }

  async #step(events: readonly RecordedEvent[]): Promise<void> {
    const taken: { readonly fold: ProjectionFold; readonly batch: Batch }[] = [];
    const suspects: ProjectionFold[] = [];
    for (const fold of this.#members.values()) {
      try {
        await fold.fold(events);
        taken.push({ fold, batch: fold.take() });
      } catch (error) {
        if (!isFaultOfProjection(error)) throw error;
        suspects.push(fold);
      }
    }
    try {
      await this.#options.readStore.write(taken.map(({ batch }) => batch));
      for (const { fold, batch } of taken) fold.written(batch);
    } catch (error) {
      if (!isFaultOfProjection(error)) throw error;
      suspects.push(...taken.map(({ fold }) => fold));
    }
    for (const fold of suspects) await this.#findPoison(fold, events);
    for (const fold of this.#members.values()) this.#options.advanced(fold);
    this.#position = events.at(-1)?.position ?? this.#position;
  }

  async #findPoison(fold: ProjectionFold, events: readonly RecordedEvent[]): Promise<void> {
    const { readStore, isSkipped, advanced, poisoned } = this.#options;
    const poison = await foldCarefully(readStore, fold, events, (found) => isSkipped(fold, found));
    if (poison === undefined) return;
    this.#members.delete(fold.projection.name);
    advanced(fold);
    poisoned(fold, poison);
  }

  /** A write that failed may be stored all the same, or have been finished by another process. */
  async #startOver(): Promise<void> {
    for (const fold of this.#members.values()) {
      await fold.startOver();
      this.#options.advanced(fold);
      if (fold.checkpoint < this.#position) this.#position = fold.checkpoint;
    }
  }
}
