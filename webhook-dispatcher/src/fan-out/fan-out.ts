import { newLane, type PendingDelivery, withNewDeliveries } from "@travel-booking/domain";
import type { PageItem, ReadModels } from "@travel-booking/engines/read-store";
import type { ProjectionProgress } from "@travel-booking/read-models";
import { ALL_PARTITION, EVENTS, eventSortKeyAfter, visiblePosition } from "@travel-booking/read-models";
import { type FanOutCheckpoint, type Lanes, laneKey } from "@travel-booking/webhooks/deliveries";
import { accountOfEventItem, deliverableEvent, toPendingDelivery } from "./deliverable-event.ts";
import { SubscriberCache } from "./subscriber-cache.ts";
import { isSubscribed } from "./subscribers.ts";

/** Events taken up at once. */
const PAGE = 500;

export interface FanOutOptions {
  readonly models: ReadModels;
  readonly progress: Pick<ProjectionProgress, "positionOf">;
  readonly lanes: Lanes;
  readonly checkpoint: FanOutCheckpoint;
  readonly wake: (lane: string) => Promise<void>;
  readonly reachedFaultPoint: (step: "webhook:owed" | "webhook:followed") => void;
}

/** The deliveries one lane is owed. */
interface LaneDeliveries {
  readonly accountId: string;
  readonly deliveries: PendingDelivery[];
}

/**
 * Turns events into what endpoints are owed, from a checkpoint of its own. A crash between a lane and the checkpoint
 * adds nothing twice: a lane knows the newest event it was ever given, and stays as long as the checkpoint is behind it.
 */
export class FanOut {
  readonly #options: FanOutOptions;
  readonly #subscribers: SubscriberCache;
  #checkpoint: string | undefined;
  #seen = 0n;

  constructor(options: FanOutOptions) {
    this.#options = options;
    this.#subscribers = new SubscriberCache(options.models);
  }

  /** Goes on from what is stored: somebody else may have been at it. */
  resetCheckpoint(): void {
    this.#checkpoint = undefined;
  }

  /** Everything that could be seen up to this position has been looked at. */
  get processedPosition(): bigint {
    return this.#seen;
  }

  /** The place up to which all events are known to have been taken up, durably, by whoever it was. */
  async loadCheckpoint(): Promise<string> {
    return this.#checkpoint ?? this.#options.checkpoint.load();
  }

  /** Takes up the next events that can be seen; answers how many there were. Not to be called twice at once. */
  async processBatch(): Promise<number> {
    const { models, progress, checkpoint, wake, reachedFaultPoint } = this.#options;
    const after = this.#checkpoint ?? (await checkpoint.load());
    const { model, all: index } = EVENTS.event;
    const visible = visiblePosition(progress);
    const page = await models.page(model, {
      index,
      partition: ALL_PARTITION,
      order: "ascending",
      limit: PAGE,
      before: eventSortKeyAfter(visible),
      ...(after === "" ? {} : { after }),
    });
    const last = page.at(-1);
    if (last === undefined) {
      this.#seen = visible;
      return 0;
    }
    const shares = await this.#deliveriesByLane(page);
    await Promise.all([...shares].map(([lane, share]) => this.#add(lane, share)));
    if (shares.size > 0) reachedFaultPoint("webhook:owed");
    await checkpoint.save(last.sort);
    this.#checkpoint = last.sort;
    if (shares.size > 0) reachedFaultPoint("webhook:followed");
    await Promise.all([...shares.keys()].map((lane) => wake(lane)));
    return page.length;
  }

  async #deliveriesByLane(page: readonly PageItem[]): Promise<Map<string, LaneDeliveries>> {
    await this.#subscribers.refresh();
    const shares = new Map<string, LaneDeliveries>();
    for (const item of page) {
      const accountId = accountOfEventItem(item);
      const known = await this.#subscribers.get(accountId);
      if (known.length === 0) continue;
      const event = deliverableEvent(item);
      for (const subscriber of known) {
        if (!isSubscribed(subscriber, event)) continue;
        const lane = laneKey({ endpointId: subscriber.endpointId, bookingId: event.bookingId });
        const share = shares.get(lane) ?? { accountId, deliveries: [] };
        shares.set(lane, share);
        share.deliveries.push(toPendingDelivery(event));
      }
    }
    return shares;
  }

  async #add(key: string, { accountId, deliveries }: LaneDeliveries): Promise<void> {
    await this.#options.lanes.change(key, (lane = { ...newLane(accountId), holder: null }) => ({
      ...lane,
      ...withNewDeliveries(lane, deliveries),
    }));
  }
}
