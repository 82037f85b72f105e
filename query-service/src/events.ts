import { type EventListQuery, getEventOperation, listEventsOperation } from "@travel-booking/api-contract";
import { type ApiRequest, type ApiResponse, errorResponse, pageResponse, type Route } from "@travel-booking/http";
import { EVENTS, ownedKey, PUBLIC_PROJECTION_NAMES, TEST_EVENTS, visiblePosition } from "@travel-booking/read-models";
import type { QueryDependencies } from "./dependencies.ts";
import { indexFor, readEvents, timeBounds } from "./event-pages.ts";
import { accountOf, jsonOrNotFound, watchClientDisconnect } from "./reading.ts";

type Dependencies = Pick<QueryDependencies, "models" | "testEvents" | "clock">;

/** An event of an account, or one that was made to try an endpoint and is not over yet; undefined where there is none. */
export async function findEvent(
  { models, testEvents, clock }: Dependencies,
  accountId: string,
  id: string,
): Promise<Uint8Array | undefined> {
  const key = ownedKey(accountId, id);
  const body = await models.body(EVENTS.event.model, key);
  if (body !== undefined) return body.json;
  const record = await testEvents.get<string>(TEST_EVENTS.space, key);
  const isOver = record !== undefined && record.expiresAt !== null && record.expiresAt <= clock.now();
  return record === undefined || isOver ? undefined : Buffer.from(record.value);
}

/**
 * An event, whether or not it is listed yet: whoever has its id was sent it, and instances may know of the read models'
 * progress one after another.
 */
export function getEvent(dependencies: QueryDependencies): Route {
  return {
    operation: getEventOperation,
    reads: [EVENTS.projection],
    async handler(request: ApiRequest) {
      return jsonOrNotFound(await findEvent(dependencies, accountOf(request), request.params.id ?? ""), "event");
    },
  };
}

const { model, byAccount } = EVENTS.event;
const UNKNOWN_AFTER = errorResponse(400, ["after is not the id of one of your events"]);

interface EventPage {
  readonly response: ApiResponse;
  /** A page on which there is nothing. */
  readonly isEmpty: boolean;
}

/**
 * The account's events as far as every read model shows them, in the order of the log. With `wait` a request that
 * finds nothing stays until there is something, or its time is up; whoever may not stay is answered at once.
 */
export function listEvents(dependencies: QueryDependencies): Route {
  return {
    operation: listEventsOperation,
    reads: PUBLIC_PROJECTION_NAMES,
    async handler(request: ApiRequest<EventListQuery>) {
      const { wait } = request.query;
      if (wait === 0) return (await readPage(dependencies, request)).response;
      const giveUpAt = performance.now() + wait * 1_000;
      const gone = watchClientDisconnect(request);
      const watch = dependencies.eventNotifier.watch(accountOf(request));
      try {
        for (;;) {
          const { response, isEmpty } = await readPage(dependencies, request);
          const left = giveUpAt - performance.now();
          if (!isEmpty || watch === undefined || watch.isClosed || left <= 0 || gone.signal.aborted) return response;
          await request.waitUncounted(watch.next(left, gone.signal));
        }
      } finally {
        watch?.end();
        gone.end();
      }
    },
  };
}

async function readPage(dependencies: QueryDependencies, request: ApiRequest<EventListQuery>): Promise<EventPage> {
  const { models, progress, cursors } = dependencies;
  const { limit, cursor, wait: _, after: afterId, order = "desc", ...filter } = request.query;
  const accountId = accountOf(request);
  const visible = visiblePosition(progress);
  const afterSort = afterId === undefined ? undefined : await sortOf(dependencies, accountId, afterId);
  if (afterId !== undefined && afterSort === undefined) return { response: UNKNOWN_AFTER, isEmpty: false };
  const list = indexFor(accountId, filter);
  const isAscending = order === "asc" || afterId !== undefined;
  let isEmpty = false;
  const response = await pageResponse({
    cursors,
    scope: {
      operationId: listEventsOperation.id,
      accountId,
      filters: { ...filter, after: afterId, ascending: isAscending },
    },
    limit,
    cursor,
    async read(most, behind) {
      const after = behind ?? afterSort;
      const entries = await readEvents(
        models,
        {
          ...list,
          ...(await timeBounds(models, list, filter, visible)),
          order: isAscending ? "ascending" : "descending",
          limit: most,
          ...(after !== undefined && { after }),
        },
        filter,
      );
      isEmpty = entries.length === 0;
      return entries;
    },
  });
  return { response, isEmpty };
}

/** Where an event of the account stands in its lists. */
async function sortOf({ models }: QueryDependencies, accountId: string, id: string): Promise<string | undefined> {
  return (await models.document(model, ownedKey(accountId, id)))?.indexes[byAccount]?.sort;
}
