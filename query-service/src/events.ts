import { type EventListQuery, getEventOperation, listEventsOperation } from "@travel-booking/api-contract";
import { USUAL_EVENT_TYPES } from "@travel-booking/domain";
import { type ApiRequest, type ApiResponse, errorResponse, type Route } from "@travel-booking/http";
import {
  EVENTS,
  type FoundJson,
  findEventStub,
  jsonOfEvents,
  ownedKey,
  projectionsOf,
  sortOfEvent,
  TEST_EVENTS,
  visiblePosition,
} from "@travel-booking/read-models";
import type { QueryDependencies } from "./dependencies.ts";
import { isWatched } from "./event-notifier.ts";
import { type EventFilter, hasEvent, readEvents } from "./event-pages.ts";
import { accountOf, jsonOrNotFound, listPage } from "./reading.ts";

/** Real time. A request that waits for types that nobody watches looks for them so often. */
const LOOK_AGAIN_MS = 1_000;

function filterOf({ type, bookingId, createdAfter, createdBefore }: EventListQuery): EventFilter {
  return { types: type ?? USUAL_EVENT_TYPES, bookingId, createdAfter, createdBefore };
}

/** Public events of the account, or test events of it that have not expired; as `jsonOfEvents`. */
export async function findEvents(
  { models, testEvents, clock }: Pick<QueryDependencies, "models" | "testEvents" | "clock">,
  accountId: string,
  ids: readonly string[],
): Promise<FoundJson> {
  const stubs = await Promise.all(ids.map((id) => findEventStub(models, accountId, id)));
  const { json, ...found } = await jsonOfEvents(models, stubs);
  const withTestEvents = json.map(async (event, at) => {
    if (stubs[at] !== undefined) return event;
    const record = await testEvents.get<string>(TEST_EVENTS.space, ownedKey(accountId, ids[at] ?? ""));
    if (record === undefined || (record.expiresAt !== null && record.expiresAt <= clock.now())) return undefined;
    return record.value;
  });
  return { ...found, json: await Promise.all(withTestEvents) };
}

/** The account's visible events, in the order of the log. */
export function eventRoutes(dependencies: QueryDependencies): readonly Route[] {
  return [
    {
      operation: listEventsOperation,
      reads: (query: EventListQuery) => projectionsOf(filterOf(query).types),
      handler: (request: ApiRequest<EventListQuery>) => listEvents(dependencies, request),
    },
    {
      operation: getEventOperation,
      reads: [EVENTS.projection],
      /** Answers an event before it is listed, too: instances learn of the projections' progress at different times. */
      async handler(request: ApiRequest) {
        const { json } = await findEvents(dependencies, accountOf(request), [request.params.id ?? ""]);
        return jsonOrNotFound(json[0], "event");
      },
    },
  ];
}

/** With `wait`, an empty page is answered only after that time, or at once if too many requests wait already. */
async function listEvents(dependencies: QueryDependencies, request: ApiRequest<EventListQuery>): Promise<ApiResponse> {
  const { wait } = request.query;
  if (wait === 0) return (await readPage(dependencies, request)).response;
  const filter = filterOf(request.query);
  const deadline = performance.now() + wait * 1_000;
  // Of a booking that is there, those that nobody watches have happened.
  const isTold = filter.bookingId !== undefined || filter.types.every(isWatched);
  const longest = isTold ? wait * 1_000 : LOOK_AGAIN_MS;
  const connection = request.raw.response;
  const watch = dependencies.eventNotifier.watch(accountOf(request), (event) => hasEvent(filter, event));
  const close = () => watch?.close();
  if (connection.closed) close();
  connection.once("close", close);
  try {
    for (;;) {
      const { response, isEmpty } = await readPage(dependencies, request);
      const left = deadline - performance.now();
      if (!isEmpty || watch === undefined || watch.isClosed || left <= 0) return response;
      await request.waitUncounted(watch.next(Math.min(left, longest)));
    }
  } finally {
    watch?.end();
    connection.off("close", close);
  }
}

async function readPage(
  dependencies: QueryDependencies,
  request: ApiRequest<EventListQuery>,
): Promise<{ readonly response: ApiResponse; readonly isEmpty: boolean }> {
  const { models, progress } = dependencies;
  const { type, after: afterId, order = "desc" } = request.query;
  const filter = filterOf(request.query);
  const accountId = accountOf(request);
  const visible = visiblePosition(progress, filter.types);
  const afterSort = afterId === undefined ? undefined : await sortOfEvent(models, accountId, afterId);
  if (afterId !== undefined && afterSort === undefined) {
    const response = errorResponse(400, "unknown_event", ["after is not the id of one of your events"]);
    return { response, isEmpty: false };
  }
  const isAscending = order === "asc" || afterId !== undefined;
  const { types: _, ...others } = filter;
  const filters = { ...others, type: type?.toSorted().join(), after: afterId, ascending: isAscending };
  const scope = { operationId: listEventsOperation.id, accountId, filters };
  let isEmpty = true;
  const response = await listPage(dependencies, scope, request.query, async (range) => {
    const list = {
      accountId,
      order: isAscending ? "ascending" : "descending",
      ...(afterSort !== undefined && { after: afterSort }),
      ...range,
      visible,
    } as const;
    const entries = await readEvents(models, list, filter);
    if (entries.length > 0) isEmpty = false;
    return entries;
  });
  return { response, isEmpty };
}
