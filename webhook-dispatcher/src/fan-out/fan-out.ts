import { newLane, type PendingDelivery, withNewDeliveries } from "@travel-booking/domain";
import type { PageItem, ReadModels } from "@travel-booking/engines/read-store";
import type { ProjectionProgress } from "@travel-booking/read-models";
import {
  deliverablePosition,
  eventsToFanOut,
  type FanOutCheckpoint,
  type Lanes,
  laneKey,
  untilDeliverable,
} from "@travel-booking/webhooks/deliveries";
import type { ReplayProcessor } from "./replay-processor.ts";
import { deliverableEvent, isSubscribed, SubscriberCache, toPendingDelivery } from "./subscribers.ts";

/** Events per batch. */
const PAGE = 500;

interface FanOutOptions {
  readonly models: ReadModels;
  readonly progress: Pick<ProjectionProgress, "positionOf">;
  readonly lanes: Lanes;
  readonly checkpoint: FanOutCheckpoint;
  readonly wake: (lane: string) => Promise<void>;
  readonly reachedFaultPoint: (step: "webhook:owed" | "webhook:followed") => void;
}

/** New deliveries for one lane. */
interface LaneDeliveries {
  readonly accountId: string;
  readonly deliveries: PendingDelivery[];
}

/**
 * Adds events to the lanes of the subscribed endpoints, from a checkpoint of its own. A crash between a lane and the
 * checkpoint adds nothing twice: a lane knows its newest event, and is kept while the checkpoint is behind that.
 */
export class FanOut {
  readonly #options: FanOutOptions;
  readonly #subscribers: SubscriberCache;
  #checkpoint: string | undefined;
  #processedPosition = 0n;

  constructor(options: FanOutOptions) {
    this.#options = options;
    this.#subscribers = new SubscriberCache(options.models);
  }

  /** Continues from the stored checkpoint: another process may have moved it. */
  resetCheckpoint(): void {
    this.#checkpoint = undefined;
  }

  /** All events up to this position have been fanned out. */
  get processedPosition(): bigint {
    return this.#processedPosition;
  }

  /** The sort key up to which all events are durably in their lanes. */
  async loadCheckpoint(): Promise<string> {
    return this.#checkpoint ?? this.#options.checkpoint.load();
  }

  /** Fans out the next batch of events and returns their number. Must not run concurrently with itself. */
  async processBatch(): Promise<number> {
    const { models, progress, checkpoint, wake, reachedFaultPoint } = this.#options;
    const upTo = deliverablePosition(progress);
    // The read models were built anew from a shorter log, and the checkpoint was removed.
    if (upTo < this.#processedPosition) this.resetCheckpoint();
    const page = await eventsToFanOut(models, { checkpoint: await this.loadCheckpoint(), upTo, limit: PAGE });
    const last = page.at(-1);
    if (last === undefined) {
      this.#processedPosition = upTo;
      return 0;
    }
    const byLane = await this.#deliveriesByLane(page);
    await Promise.all([...byLane].map(([lane, added]) => this.#add(lane, added)));
    if (byLane.size > 0) reachedFaultPoint("webhook:owed");
    await checkpoint.save(last.sort);
    this.#checkpoint = last.sort;
    if (byLane.size > 0) reachedFaultPoint("webhook:followed");
    await Promise.all([...byLane.keys()].map((lane) => wake(lane)));
    return page.length;
  }

  async #deliveriesByLane(page: readonly PageItem[]): Promise<Map<string, LaneDeliveries>> {
    await this.#subscribers.refresh();
    const byLane = new Map<string, LaneDeliveries>();
    for (const item of page) {
      const event = deliverableEvent(item);
      const { accountId } = event;
      const subscribers = await this.#subscribers.get(accountId);
      for (const subscriber of subscribers) {
        if (!isSubscribed(subscriber, event)) continue;
        const lane = laneKey({ endpointId: subscriber.endpointId, bookingId: event.bookingId });
        const added = byLane.get(lane) ?? { accountId, deliveries: [] };
        byLane.set(lane, added);
        added.deliveries.push(toPendingDelivery(event));
      }
    }
    return byLane;
  }

  #add(key: string, { accountId, deliveries }: LaneDeliveries): Promise<unknown> {
    return this.#options.lanes.change(key, (lane = { ...newLane(accountId), holder: null }) => ({
      ...lane,
      ...withNewDeliveries(lane, deliveries),
    }));
  }
}

/** Real time. */
const POLL_INTERVAL_MS = 1_000;

interface FanOutLoopOptions {
  readonly fanOut: FanOut;
  readonly replays: ReplayProcessor;
  readonly progress: ProjectionProgress;
}

/** Runs the fan-out and the replays, one after the other. */
export class FanOutLoop {
  readonly #options: FanOutLoopOptions;
  #wakeUp = Promise.withResolvers<void>();
  #running: Promise<unknown> = Promise.resolve();

  constructor(options: FanOutLoopOptions) {
    this.#options = options;
  }

  resetCheckpoint(): void {
    this.#options.fanOut.resetCheckpoint();
  }

  /** A replay was requested. */
  wake(): void {
    this.#wakeUp.resolve();
  }

  /** Processes everything there is. Concurrent calls run one after the other. */
  catchUp(signal?: AbortSignal): Promise<void> {
    const done = this.#running.then(() => this.#catchUp(signal));
    this.#running = done.catch(() => undefined);
    return done;
  }

  /** Resolves when there may be something new, or after the poll interval. */
  async waitForWork(signal: AbortSignal): Promise<void> {
    const { progress, fanOut } = this.#options;
    const next = fanOut.processedPosition + 1n;
    const reached = untilDeliverable(progress, next, POLL_INTERVAL_MS);
    const aborted = Promise.withResolvers<void>();
    const abort = () => aborted.resolve();
    signal.addEventListener("abort", abort, { once: true });
    await Promise.race([reached, this.#wakeUp.promise, aborted.promise]);
    signal.removeEventListener("abort", abort);
    this.#wakeUp = Promise.withResolvers();
  }

  async #catchUp(signal?: AbortSignal): Promise<void> {
    while (signal?.aborted !== true) {
      const events = await this.#options.fanOut.processBatch();
      const replayed = await this.#options.replays.processBatch();
      if (events === 0 && !replayed) return;
    }
  }
}
