import { type Instant, MINUTE, type PendingDelivery } from "@travel-booking/domain";
import type { PageItem, ReadModels } from "@travel-booking/engines/read-store";
import {
  eventSortKeyAfter,
  type ProjectionProgress,
  PUBLIC_PROJECTION_NAMES,
  visiblePosition,
} from "@travel-booking/read-models";
import { type AttemptLog, eventsBehind, type FanOutCheckpoint, laneKey } from "@travel-booking/webhooks/deliveries";
import type { DeliveryWindow, LaneDeliveries } from "../lanes/delivery-window.ts";
import type { ReplayProcessor } from "./replay-processor.ts";
import { deliverableEvent, isSubscribed, SubscriberCache, toPendingDelivery } from "./subscribers.ts";

/** Events per batch, attempts per page of the log. */
const PAGE = 500;

interface FanOutOptions {
  readonly models: ReadModels;
  readonly progress: Pick<ProjectionProgress, "positionOf">;
  readonly window: DeliveryWindow;
  readonly checkpoint: Pick<FanOutCheckpoint, "load">;
  readonly log: Pick<AttemptLog, "page">;
  readonly reachedFaultPoint: (step: "webhook:owed") => void;
}

/**
 * Reads events in order and adds them to the lanes of the subscribed endpoints, beginning behind the stored checkpoint.
 * What the process before delivered behind it is in the attempt log.
 */
export class FanOut {
  readonly #options: FanOutOptions;
  readonly #subscribers: SubscriberCache;
  /** The sort key of the last event that was added. */
  #position: string | undefined;
  #delivered: DeliveredBefore | undefined;
  #processedPosition = 0n;

  constructor(options: FanOutOptions) {
    this.#options = options;
    this.#subscribers = new SubscriberCache(options.models);
  }

  /** Continues from the stored checkpoint: another process may have moved it. */
  reset(): void {
    this.#position = undefined;
  }

  /** All visible events up to this position have been added. */
  get processedPosition(): bigint {
    return this.#processedPosition;
  }

  /** The sort key up to which all events have been added. */
  async position(): Promise<string> {
    if (this.#position === undefined) {
      this.#position = await this.#options.checkpoint.load();
      this.#delivered = new DeliveredBefore(this.#options.log, visiblePosition(this.#options.progress));
    }
    return this.#position;
  }

  /** Adds the next batch of visible events and returns their number. Must not run concurrently with itself. */
  async processBatch(signal?: AbortSignal): Promise<number> {
    const { models, progress, window, reachedFaultPoint } = this.#options;
    const visible = visiblePosition(progress);
    const page = await eventsBehind(models, { checkpoint: await this.position(), visible, limit: PAGE });
    const last = page.at(-1);
    if (last === undefined) {
      this.#processedPosition = visible;
      this.#delivered = undefined;
      return 0;
    }
    const byLane = await this.#deliveriesByLane(page);
    await window.add(last.sort, byLane);
    if (byLane.size > 0) reachedFaultPoint("webhook:owed");
    if (signal?.aborted) {
      window.clear();
      return 0;
    }
    this.#position = last.sort;
    await window.start(byLane);
    return page.length;
  }

  async #deliveriesByLane(page: readonly PageItem[]): Promise<ReadonlyMap<string, LaneDeliveries>> {
    await this.#subscribers.refresh();
    const byLane = new Map<string, { readonly accountId: string; readonly deliveries: PendingDelivery[] }>();
    for (const item of page) {
      const event = deliverableEvent(item);
      const { accountId } = event;
      const subscribers = await this.#subscribers.get(accountId);
      for (const subscriber of subscribers) {
        if (!isSubscribed(subscriber, event)) continue;
        const { endpointId } = subscriber;
        if (this.#delivered !== undefined && (await this.#delivered.has(endpointId, event))) continue;
        const lane = laneKey({ endpointId, bookingId: event.bookingId });
        const added = byLane.get(lane) ?? { accountId, deliveries: [] };
        byLane.set(lane, added);
        added.deliveries.push(toPendingDelivery(event));
      }
    }
    return byLane;
  }
}

/** The clocks of two machines may differ by so much. */
const CLOCK_SKEW_MS = MINUTE;
/** Attempts of an endpoint that are looked at: more than can be made behind the checkpoint. */
const MAX_ATTEMPTS_READ = 10_000;

/**
 * Which deliveries behind the checkpoint have been made before this process began. Without an entry in the log, which
 * comes last, a delivery is made again: at least once.
 */
class DeliveredBefore {
  readonly #log: Pick<AttemptLog, "page">;
  readonly #visibleBefore: string;
  readonly #eventIds = new Map<string, ReadonlySet<string>>();

  constructor(log: Pick<AttemptLog, "page">, visible: bigint) {
    this.#log = log;
    this.#visibleBefore = eventSortKeyAfter(visible);
  }

  async has(endpointId: string, { eventId, sort, at }: PendingDelivery): Promise<boolean> {
    if (sort >= this.#visibleBefore) return false;
    const known = this.#eventIds.get(endpointId) ?? (await this.#read(endpointId, at - CLOCK_SKEW_MS));
    this.#eventIds.set(endpointId, known);
    return known.has(eventId);
  }

  /** The first event of an endpoint that is asked for is the oldest. */
  async #read(endpointId: string, since: Instant): Promise<ReadonlySet<string>> {
    const delivered = new Set<string>();
    let after: string | undefined;
    for (let read = 0; read < MAX_ATTEMPTS_READ; read += PAGE) {
      const page = await this.#log.page(endpointId, { limit: PAGE, after });
      for (const { attempt } of page) if (attempt.status === "succeeded") delivered.add(attempt.eventId);
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE || last.attempt.deliveredAt < since) break;
      after = last.sort;
    }
    return delivered;
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

  reset(): void {
    this.#options.fanOut.reset();
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
    const reached = PUBLIC_PROJECTION_NAMES.map((name) => progress.waitUntil(name, next, POLL_INTERVAL_MS));
    const aborted = Promise.withResolvers<void>();
    const abort = () => aborted.resolve();
    signal.addEventListener("abort", abort, { once: true });
    await Promise.race([Promise.all(reached), this.#wakeUp.promise, aborted.promise]);
    signal.removeEventListener("abort", abort);
    this.#wakeUp = Promise.withResolvers();
  }

  async #catchUp(signal?: AbortSignal): Promise<void> {
    while (signal?.aborted !== true) {
      const events = await this.#options.fanOut.processBatch(signal);
      const replayed = await this.#options.replays.processBatch();
      if (events === 0 && !replayed) return;
    }
  }
}
