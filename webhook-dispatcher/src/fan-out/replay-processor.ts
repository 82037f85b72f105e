import { setImmediate } from "node:timers/promises";
import {
  HOUR,
  type Lane,
  newLane,
  type PendingDelivery,
  withHeadDueAtOnce,
  withReplayedDeliveries,
} from "@travel-booking/domain";
import type { PageItem, PageRequest, ReadModels } from "@travel-booking/engines/read-store";
import { EVENTS } from "@travel-booking/read-models";
import {
  type FanOutCheckpoint,
  type Lanes,
  laneKey,
  type OpenReplay,
  type ReplayRequest,
  type ReplayRequests,
} from "@travel-booking/webhooks/deliveries";
import { deliverableEvent, isSubscribed, type Subscriber, subscribersOf, toPendingDelivery } from "./subscribers.ts";

const PAGE = 200;
/** Events are ordered by the log, but their times are of different machines. */
const CLOCK_SKEW_MS = HOUR;

interface ReplayProcessorOptions {
  readonly models: ReadModels;
  readonly lanes: Lanes;
  readonly checkpoint: Pick<FanOutCheckpoint, "load">;
  readonly requests: ReplayRequests;
  readonly wake: (lane: string) => Promise<void>;
}

/** Processes replays in batches: adds the events since a moment to the lanes of an endpoint again, in order. */
export class ReplayProcessor {
  readonly #options: ReplayProcessorOptions;

  constructor(options: ReplayProcessorOptions) {
    this.#options = options;
  }

  /** Processes a batch of the next replay; false if none is open. Must not run concurrently with itself or the fan-out. */
  async processBatch(): Promise<boolean> {
    const { requests, models } = this.#options;
    const open = await requests.next();
    if (open === undefined) return false;
    const { accountId, endpointId } = open.request;
    const subscriber = (await subscribersOf(models, accountId)).find((one) => one.endpointId === endpointId);
    if (subscriber === undefined) await requests.finish(open);
    else await this.#replay(open, subscriber);
    return true;
  }

  async #replay(open: OpenReplay, subscriber: Subscriber): Promise<void> {
    const { requests, checkpoint, lanes, wake } = this.#options;
    const { request } = open;
    const after = request.cursor ?? (await this.#findStart(request));
    // The fan-out adds newer events.
    const upTo = await checkpoint.load();
    const page = (await this.#page(request, "ascending", { after })).filter(({ sort }) => sort <= upTo);
    const resend = request.only === undefined ? (lane: Lane) => lane : withHeadDueAtOnce;
    const byLane = deliveriesByLane(page, request, subscriber);
    await Promise.all(
      [...byLane].map(([key, deliveries]) =>
        lanes.change(key, (lane = { ...newLane(request.accountId), holder: null }) => ({
          ...lane,
          ...resend(withReplayedDeliveries(lane, deliveries), deliveries),
        })),
      ),
    );
    const last = page.at(-1);
    const only = request.only?.filter((id) => !page.some(({ key }) => key === id));
    if (last === undefined || page.length < PAGE || only?.length === 0) await requests.finish(open);
    else await requests.save({ ...open, request: { ...request, ...(only && { only }), cursor: last.sort } });
    await Promise.all([...byLane.keys()].map((lane) => wake(lane)));
  }

  /** The sort key before the first event of the replay. */
  async #findStart(request: ReplayRequest): Promise<string> {
    let after: string | undefined;
    for (;;) {
      const page = await this.#page(request, "descending", after === undefined ? {} : { after });
      const before = page.find((item) => deliverableEvent(item).at < request.since - CLOCK_SKEW_MS);
      if (before !== undefined) return before.sort;
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return "";
      after = last.sort;
      await setImmediate();
    }
  }

  #page(
    { accountId }: ReplayRequest,
    order: PageRequest["order"],
    { after }: { readonly after?: string },
  ): Promise<readonly PageItem[]> {
    const { model, byAccount: index } = EVENTS.event;
    const place = after === undefined || after === "" ? {} : { after };
    return this.#options.models.page(model, { index, partition: accountId, order, limit: PAGE, ...place });
  }
}

function deliveriesByLane(page: readonly PageItem[], { since, only }: ReplayRequest, subscriber: Subscriber) {
  const byLane = new Map<string, PendingDelivery[]>();
  for (const item of page) {
    const event = deliverableEvent(item);
    if (event.at < since || !isSubscribed(subscriber, event) || only?.includes(event.eventId) === false) continue;
    const lane = laneKey({ endpointId: subscriber.endpointId, bookingId: event.bookingId });
    const deliveries = byLane.get(lane) ?? [];
    byLane.set(lane, deliveries);
    deliveries.push(toPendingDelivery(event));
  }
  return byLane;
}
