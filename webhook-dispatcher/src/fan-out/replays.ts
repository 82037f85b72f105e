import { HOUR, withHeadDueAtOnce, withReplayedDeliveries } from "@travel-booking/domain";
import { type PageRequest, pagesOf, type ReadModels } from "@travel-booking/engines/read-store";
import { EVENTS } from "@travel-booking/read-models";
import type { OpenReplay, ReplayRequest } from "@travel-booking/webhooks/deliveries";
import type { DispatcherContext } from "../dispatcher-options.ts";
import { addToLanes, deliverableEvent, isSubscribed, type Subscriber, subscribersOf } from "./subscribers.ts";

const PAGE = 200;
/** Events are ordered by the log, but their times are of different machines. */
const CLOCK_SKEW_MS = HOUR;

type ReplayOptions = Pick<DispatcherContext, "models" | "queue" | "stored">;

/**
 * Processes a batch of the next open replay: adds events since a moment to the lanes of an endpoint again, in order. False
 * if none is open. Must not run concurrently with itself or the fan-out.
 */
export async function replayBatch(options: ReplayOptions): Promise<boolean> {
  const { stored, models } = options;
  const open = await stored.replays.next();
  if (open === undefined) return false;
  const { accountId, endpointId } = open.request;
  const subscriber = (await subscribersOf(models, accountId)).find((one) => one.endpointId === endpointId);
  if (subscriber === undefined) await stored.replays.finish(open);
  else await replay(options, open, subscriber);
  return true;
}

async function replay({ models, queue, stored }: ReplayOptions, open: OpenReplay, subscriber: Subscriber) {
  const { request } = open;
  const { since, only } = request;
  const { endpointId } = subscriber;
  const after = request.cursor ?? (await findStart(models, request));
  // The fan-out adds newer events.
  const upTo = await stored.checkpoint.load();
  const next = await models.page(EVENTS.event.model, { ...pageOf(request, "ascending"), after });
  const page = next.filter(({ sort }) => sort <= upTo);
  const subscribed = page
    .map((item) => ({ endpointId, event: deliverableEvent(item) }))
    .filter(({ event }) => event.at >= since && isSubscribed(subscriber, event))
    .filter(({ event }) => only === undefined || only.includes(event.eventId));
  const lanes = await addToLanes(stored.lanes, subscribed, (lane, deliveries) => {
    const replayed = withReplayedDeliveries(lane, deliveries);
    return only === undefined ? replayed : withHeadDueAtOnce(replayed, deliveries);
  });
  const last = page.at(-1);
  const left = only?.filter((id) => !page.some(({ key }) => key === id));
  if (last === undefined || page.length < PAGE || left?.length === 0) await stored.replays.finish(open);
  else await stored.replays.save({ ...open, request: { ...request, ...(left && { only: left }), cursor: last.sort } });
  await Promise.all(lanes.map((lane) => queue.schedule(lane)));
}

/** The sort key before the first event of the replay. */
async function findStart(models: ReadModels, request: ReplayRequest): Promise<string> {
  for await (const page of pagesOf(models, EVENTS.event.model, pageOf(request, "descending"))) {
    const before = page.find((item) => deliverableEvent(item).at < request.since - CLOCK_SKEW_MS);
    if (before !== undefined) return before.sort;
  }
  return "";
}

/** The first events of the account. */
function pageOf({ accountId }: ReplayRequest, order: PageRequest["order"]): PageRequest {
  return { index: EVENTS.event.byAccount, partition: accountId, order, limit: PAGE };
}
