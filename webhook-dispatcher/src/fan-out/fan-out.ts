import { withNewDeliveries } from "@travel-booking/domain";
import type { PageItem } from "@travel-booking/engines/read-store";
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
 * Adds events to the lanes of the subscribed endpoints, from a stored checkpoint, and those of replays again. A crash
 * between a lane and the checkpoint adds nothing twice: a lane knows its newest event, and is kept while the checkpoint is
 * behind that.
 */
export class FanOut {
  readonly #options: FanOutOptions;
  /** All events up to this position have been fanned out. */
  #processedPosition = 0n;
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
        const events = await this.#addBatch();
        const replayed = await replayPiece(this.#options, this.#replayTurns, withoutRest);
        if (events === 0 && !replayed) return;
      }
    });
  }

  /** Ends `waitForWork`: a replay was requested, or nobody is to wait any more. */
  wake(): void {
    this.#wakeUp.resolve();
  }

  /** Resolves when there may be something new, or after the poll interval. */
  async waitForWork(): Promise<void> {
    const next = untilDeliverable(this.#options.progress, this.#processedPosition + 1n, POLL_INTERVAL_MS);
    await Promise.race([next, this.#wakeUp.promise]);
    this.#wakeUp = Promise.withResolvers();
  }

  /** Adds the next batch of events; answers their number. */
  async #addBatch(): Promise<number> {
    const { models, progress, queue, stored, reachedFaultPoint } = this.#options;
    const upTo = deliverablePosition(progress);
    const page = await eventsToFanOut(models, { checkpoint: await stored.checkpoint.load(), upTo, limit: PAGE });
    const last = page.at(-1);
    if (last === undefined) {
      this.#processedPosition = upTo;
      return 0;
    }
    const lanes = await addToLanes(stored.lanes, await this.#subscribed(page), withNewDeliveries);
    if (lanes.length > 0) reachedFaultPoint("webhook:owed");
    await stored.checkpoint.save(last.sort);
    if (lanes.length > 0) reachedFaultPoint("webhook:followed");
    await Promise.all(lanes.map((lane) => queue.schedule(lane)));
    return page.length;
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
