import { withNewDeliveries } from "@travel-booking/domain";
import type { PageItem } from "@travel-booking/engines/read-store";
import { EVENT_FEEDS, type EventFeed, feedOf } from "@travel-booking/read-models";
import { Mutex } from "@travel-booking/runtime/real-time";
import { deliverablePosition, eventsToFanOut, untilDeliverable } from "@travel-booking/webhooks/deliveries";
import type { DispatcherContext } from "../dispatcher-options.ts";
import { ReplayTurns, replayPiece } from "./replays.ts";
import { addToLanes, deliverableEvent, isSubscribed, type SubscribedEvent, subscribersOf } from "./subscribers.ts";

/** Events per batch. */
const PAGE = 500;
/** Real time. */
const POLL_INTERVAL_MS = 1_000;

type FanOutOptions = Pick<DispatcherContext, "models" | "progress" | "queue" | "stored" | "reachedFaultPoint">;

interface CatchUpOptions {
  /** Ends it after a step. */
  readonly signal?: AbortSignal;
  readonly withoutRest?: boolean;
}

/**
 * Adds events to the lanes of the subscribed endpoints, from a stored checkpoint of each feed, and those of replays again. A crash
 * between a lane and the checkpoint adds nothing twice: a lane knows its newest event, and is kept while the checkpoint is
 * behind that.
 */
export class FanOut {
  readonly #options: FanOutOptions;
  /** All events of a feed up to this position have been fanned out. The positions of another log may be lower. */
  readonly #processed = new Map<EventFeed, bigint>();
  #wakeUp = Promise.withResolvers<void>();
  readonly #mutex = new Mutex();
  readonly #replayTurns: ReplayTurns;

  constructor(options: FanOutOptions) {
    this.#options = options;
    this.#replayTurns = new ReplayTurns(options.stored.replays);
  }

  /**
   * Adds everything there is, but for replays of accounts that rest, unless `withoutRest`. Concurrent calls run one after
   * the other.
   */
  catchUp({ signal, withoutRest = false }: CatchUpOptions = {}): Promise<void> {
    return this.#mutex.runExclusive(async () => {
      while (signal?.aborted !== true) {
        let events = 0;
        for (const feed of EVENT_FEEDS) events += await this.#addBatch(feed);
        const replayed = await replayPiece(this.#options, this.#replayTurns, withoutRest);
        if (events === 0 && !replayed) return;
      }
    });
  }

  /** Ends `waitForWork`: a replay was requested, or nobody is to wait any more. */
  wake(): void {
    this.#wakeUp.resolve();
  }

  /** Resolves when there may be something new of bookings, or after the poll interval. */
  async waitForWork(): Promise<void> {
    const next = untilDeliverable(this.#options.progress, this.#processedOf(feedOf("booking")) + 1n, POLL_INTERVAL_MS);
    await Promise.race([next, this.#wakeUp.promise]);
    this.#wakeUp = Promise.withResolvers();
  }

  /** Adds the next batch of events of a feed; answers their number. */
  async #addBatch(feed: EventFeed): Promise<number> {
    const { models, progress, queue, stored, reachedFaultPoint } = this.#options;
    const upTo = deliverablePosition(progress, feed);
    if (upTo === this.#processedOf(feed)) return 0;
    const checkpoint = await stored.checkpoints.load(feed);
    const page = await eventsToFanOut(models, feed, { checkpoint, upTo, limit: PAGE });
    const last = page.at(-1);
    if (last === undefined) {
      this.#processed.set(feed, upTo);
      return 0;
    }
    const lanes = await addToLanes(stored.lanes, await this.#subscribed(page), withNewDeliveries);
    if (lanes.length > 0) reachedFaultPoint("webhook:owed");
    await stored.checkpoints.save(feed, checkpoint, last.sort);
    if (lanes.length > 0) reachedFaultPoint("webhook:followed");
    await Promise.all(lanes.map((lane) => queue.schedule(lane)));
    return page.length;
  }

  #processedOf(feed: EventFeed): bigint {
    return this.#processed.get(feed) ?? 0n;
  }

  async #subscribed(page: readonly PageItem[]): Promise<readonly SubscribedEvent[]> {
    const byAccount = Map.groupBy(page.map(deliverableEvent), ({ accountId }) => accountId);
    const subscribed = Array.from(byAccount, async ([accountId, events]) => {
      const subscribers = await subscribersOf(this.#options.models, accountId);
      return subscribers.flatMap((subscriber) =>
        events
          .filter((event) => isSubscribed(subscriber, event))
          .map((event) => ({ endpointId: subscriber.endpointId, event })),
      );
    });
    return (await Promise.all(subscribed)).flat();
  }
}
