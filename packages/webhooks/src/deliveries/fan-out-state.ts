import type { Instant } from "@travel-booking/domain";
import type { PageItem, ReadModels } from "@travel-booking/engines/read-store";
import type { StateRecord, StateStore } from "@travel-booking/engines/state-store";
import { scanPrefix } from "@travel-booking/engines/state-store/prefix-scan";
import {
  ALL_PARTITION,
  EVENTS,
  type EventFeed,
  eventSortKeyAfter,
  type ProjectionProgress,
  WEBHOOKS,
} from "@travel-booking/read-models";
import { LANES_SPACE } from "./lanes.ts";

const CHECKPOINT_SPACE = "webhook-fan-out";
/** The key of a former release, which had only this feed. */
const BOOKINGS_KEY = "checkpoint";

function keyOf({ projection }: EventFeed): string {
  return projection === EVENTS.projection ? BOOKINGS_KEY : projection;
}

/** The sort key of the last event of each feed that was fanned out; "" before the first. */
export class FanOutCheckpoints {
  readonly #store: Pick<StateStore, "get" | "create" | "replace">;

  constructor(store: Pick<StateStore, "get" | "create" | "replace">) {
    this.#store = store;
  }

  async load(feed: EventFeed): Promise<string> {
    return (await this.#store.get<string>(CHECKPOINT_SPACE, keyOf(feed)))?.value ?? "";
  }

  /** Durable when it resolves. Writes nothing if another process has moved `from` where it was, or another log was taken. */
  async save(feed: EventFeed, from: string, sort: string): Promise<void> {
    const record = await this.#store.get<string>(CHECKPOINT_SPACE, keyOf(feed));
    if ((record?.value ?? "") !== from) return;
    if (record === undefined) await this.#store.create(CHECKPOINT_SPACE, keyOf(feed), sort);
    else await this.#store.replace(CHECKPOINT_SPACE, keyOf(feed), record.version, sort);
  }
}

/**
 * Events of a feed up to here may be fanned out: the read models have them, and every endpoint that was created before them
 * (docs/decisions/0043-a-stopped-projection-holds-up-what-it-shows.md). Only advances, until another log is taken.
 */
export function deliverablePosition(
  progress: Pick<ProjectionProgress, "positionOf">,
  feed: Pick<EventFeed, "projection"> = EVENTS,
): bigint {
  const events = progress.positionOf(feed.projection);
  const endpoints = progress.positionOf(WEBHOOKS.projection);
  if (endpoints < events) return endpoints;
  return events;
}

/** Resolves when the `deliverablePosition` of bookings has reached this position, or after the time-out (real time). */
export async function untilDeliverable(
  progress: ProjectionProgress,
  position: bigint,
  timeoutMs: number,
): Promise<void> {
  await Promise.all([EVENTS, WEBHOOKS].map((read) => progress.waitUntil(read.projection, position, timeoutMs)));
}

const REPLAY_SPACE = "webhook-replays";

/** State that follows the log by positions or events, which another log may lack. */
export const FOLLOWED_LOG_SPACES: readonly string[] = [CHECKPOINT_SPACE, REPLAY_SPACE, LANES_SPACE];

/** The next events of a feed to fan out: after the checkpoint, up to a `deliverablePosition`. */
export function eventsToFanOut(
  models: ReadModels,
  { model }: EventFeed,
  { checkpoint, upTo, limit }: { readonly checkpoint: string; readonly upTo: bigint; readonly limit: number },
): Promise<readonly PageItem[]> {
  const { all: index } = EVENTS.event;
  const after = checkpoint === "" ? {} : { after: checkpoint };
  const before = eventSortKeyAfter(upTo);
  return models.page(model, { index, partition: ALL_PARTITION, order: "ascending", limit, before, ...after });
}

/** A request to send an endpoint all events since a moment again, or only some of them. JSON. */
export interface ReplayRequest {
  readonly accountId: string;
  readonly endpointId: string;
  readonly since: Instant;
  /** Only these events; absent: all. */
  readonly only?: readonly string[];
  /** Events up to this sort key are processed, or happened earlier. Null, in records of older releases: none. */
  readonly cursor: string | null;
}

export interface OpenReplay {
  readonly key: string;
  readonly request: ReplayRequest;
  readonly version: number;
}

/**
 * Unfinished replays. An endpoint has at most one of all events, and one of chosen events. A further request for more is
 * merged into them.
 */
export class ReplayRequests {
  readonly #store: Pick<StateStore, "get" | "create" | "replace" | "removeIfVersion" | "list">;

  constructor(store: Pick<StateStore, "get" | "create" | "replace" | "removeIfVersion" | "list">) {
    this.#store = store;
  }

  /** Durable when it resolves. */
  async add(request: ReplayRequest): Promise<void> {
    const key = `${request.endpointId}/${request.only === undefined ? "all" : "chosen"}`;
    for (;;) {
      const { created, record } = await this.#store.create<ReplayRequest>(REPLAY_SPACE, key, request);
      if (created || covers(record.value, request)) return;
      const both = merged(record.value, request);
      if ((await this.#store.replace(REPLAY_SPACE, key, record.version, both)) !== undefined) return;
    }
  }

  async get(key: string): Promise<OpenReplay | undefined> {
    const record = await this.#store.get<ReplayRequest>(REPLAY_SPACE, key);
    return record && openReplay(record);
  }

  /** All replays, in the order of their endpoints. */
  async *open(): AsyncGenerator<OpenReplay> {
    for await (const record of scanPrefix<ReplayRequest>(this.#store, REPLAY_SPACE, "")) yield openReplay(record);
  }

  /** Stores the progress of a replay. Writes nothing if a request was merged into it meanwhile. */
  async save({ key, version, request }: OpenReplay): Promise<void> {
    await this.#store.replace(REPLAY_SPACE, key, version, request);
  }

  /** Removes a replay, unless a request was merged into it meanwhile. */
  async finish({ key, version }: OpenReplay): Promise<void> {
    await this.#store.removeIfVersion(REPLAY_SPACE, key, version);
  }
}

/** Whether an open replay has sent, or has yet to send, all that is asked for: a client that repeats its request must not hold it back. */
function covers(open: ReplayRequest, { since, only = [] }: ReplayRequest): boolean {
  return open.only === undefined ? open.since <= since : only.every((id) => open.only?.includes(id));
}

/** The merged replay continues from the earlier cursor. */
function merged(open: ReplayRequest, further: ReplayRequest): ReplayRequest {
  const only = open.only && [...new Set([...open.only, ...(further.only ?? [])])];
  const [cursor = ""] = [open.cursor ?? "", further.cursor ?? ""].sort();
  return { ...open, since: Math.min(open.since, further.since), ...(only && { only }), cursor };
}

function openReplay({ key, value, version }: StateRecord<ReplayRequest>): OpenReplay {
  return { key, request: value, version };
}
