import { PUBLIC_EVENTS, withHeadDueAtOnce, withReplayedDeliveries } from "@travel-booking/domain";
import { positionSort } from "@travel-booking/engines/read-store";
import {
  EVENT_FEEDS,
  type EventFeed,
  eventListsOf,
  eventPositionSince,
  feedOf,
  MAX_CLOCK_SKEW,
  mergedStubs,
  stubsIn,
  usualEvents,
} from "@travel-booking/read-models";
import {
  deliverablePosition,
  type OpenReplay,
  type ReplayRequest,
  type ReplayRequests,
} from "@travel-booking/webhooks/deliveries";
import type { DispatcherContext } from "../dispatcher-options.ts";
import { addToLanes, isSubscribed, type Subscriber, subscribersOf } from "./subscribers.ts";

/** Events of one piece. */
const PAGE = 200;
/** Real time. An account whose turn it was rests so long for each event that was added to lanes again, or for each that was read. */
const REST_PER_EVENT_MS = 5;
const REST_PER_READ_MS = 0.5;

type ReplayOptions = Pick<DispatcherContext, "models" | "queue" | "stored">;

/** Requests a replay. Durable when it resolves. */
export async function requestReplay(
  { models, progress, stored }: Pick<DispatcherContext, "models" | "progress" | "stored">,
  request: Omit<ReplayRequest, "cursor">,
): Promise<void> {
  const end = deliverablePosition(progress) + 1n;
  // Of whichever list: no event of that moment is before it.
  const list = usualEvents(request.accountId);
  const start = await eventPositionSince(models, list, request.since - MAX_CLOCK_SKEW, end);
  // Sorts before the events of that position.
  await stored.replays.add({ ...request, cursor: positionSort(start) });
}

/**
 * Whose replay goes on: accounts take turns, a piece each, and so do the replays of an account. After its turn an account
 * rests, so that requests that repeat replays keep no processor busy. In memory.
 */
export class ReplayTurns {
  readonly #replays: ReplayRequests;
  /** The keys of those whose turn is still to come in this round: one of each account. */
  #round: string[] = [];
  /** The last turn of each account. */
  readonly #last = new Map<string, { readonly key: string; readonly restsUntil: number }>();

  constructor(replays: ReplayRequests) {
    this.#replays = replays;
  }

  /** Undefined: none is open, but for those of accounts that rest. */
  async next(withoutRest: boolean): Promise<OpenReplay | undefined> {
    for (;;) {
      if (this.#round.length === 0) await this.#beginRound(withoutRest);
      const key = this.#round.shift();
      if (key === undefined) return undefined;
      const open = await this.#replays.get(key);
      if (open !== undefined) return open;
    }
  }

  /** The account's turn, which was this replay's, ends, and so many milliseconds pass before its next. */
  end({ key, request }: OpenReplay, restMs: number): void {
    this.#last.set(request.accountId, { key, restsUntil: performance.now() + restMs });
  }

  async #beginRound(withoutRest: boolean): Promise<void> {
    const chosen = new Map<string, string>();
    for await (const { key, request } of this.#replays.open()) {
      const { key: last = "", restsUntil = 0 } = this.#last.get(request.accountId) ?? {};
      if (!withoutRest && restsUntil > performance.now()) continue;
      const known = chosen.get(request.accountId);
      // The first of all, or the first behind the last one.
      if (known === undefined || (known <= last && key > last)) chosen.set(request.accountId, key);
    }
    for (const [accountId, key] of chosen) this.#last.set(accountId, { key, restsUntil: 0 });
    this.#round = [...chosen.values()];
  }
}

/**
 * Processes a piece of the replay whose turn it is: adds events since a moment to the lanes of an endpoint again, in order.
 * False if none is open, but for those of accounts that rest. Must not run concurrently with itself or the fan-out.
 */
export async function replayPiece(options: ReplayOptions, turns: ReplayTurns, withoutRest: boolean): Promise<boolean> {
  const { stored, models } = options;
  const open = await turns.next(withoutRest);
  if (open === undefined) return false;
  const { accountId, endpointId } = open.request;
  const subscriber = (await subscribersOf(models, accountId)).find((one) => one.endpointId === endpointId);
  if (subscriber === undefined) await stored.replays.finish(open);
  else turns.end(open, await replay(options, open, subscriber));
  return true;
}

/** Resolves with the milliseconds for which the account should rest. */
async function replay(
  { models, queue, stored }: ReplayOptions,
  open: OpenReplay,
  subscriber: Subscriber,
): Promise<number> {
  const { request } = open;
  const { accountId, since, only, cursor } = request;
  const { endpointId, from, events } = subscriber;
  const after = cursor === null || cursor < from ? from : cursor;
  const range = { order: "ascending", limit: PAGE, after } as const;
  const lists = await Promise.all(eventListsOf(accountId, [...events]).map((list) => stubsIn(models, list, range)));
  const read = mergedStubs(lists, range);
  // The fan-out adds newer events.
  const upTo = new Map<EventFeed, string>();
  for (const feed of EVENT_FEEDS) upTo.set(feed, await stored.checkpoints.load(feed));
  const page = read.filter(({ type, sort }) => sort <= (upTo.get(feedOf(PUBLIC_EVENTS[type].lane)) ?? ""));
  const subscribed = page
    .map((event) => ({ endpointId, event }))
    .filter(({ event }) => event.at >= since && isSubscribed(subscriber, event))
    .filter(({ event }) => only === undefined || only.includes(event.eventId));
  const lanes = await addToLanes(stored.lanes, subscribed, (lane, deliveries) => {
    const replayed = withReplayedDeliveries(lane, deliveries);
    return only === undefined ? replayed : withHeadDueAtOnce(replayed, deliveries);
  });
  const last = read.at(-1);
  const left = only?.filter((id) => !page.some(({ eventId }) => eventId === id));
  const isDone = page.length === 0 || read.length < PAGE || left?.length === 0;
  if (last === undefined || isDone) await stored.replays.finish(open);
  else await stored.replays.save({ ...open, request: { ...request, ...(left && { only: left }), cursor: last.sort } });
  await Promise.all(lanes.map((lane) => queue.schedule(lane)));
  return Math.max(subscribed.length * REST_PER_EVENT_MS, read.length * REST_PER_READ_MS);
}
