import {
  FLIGHT_SEARCH_LIMIT,
  type FlightBody,
  type FlightListQuery,
  type FlightSearchQuery,
  getFlightOperation,
  getFlightStatusOperation,
  getSeatHoldOperation,
  getSeatMapOperation,
  listFlightsOperation,
  searchFlightsOperation,
} from "@travel-booking/api-contract";
import { DAY } from "@travel-booking/domain";
import type { PageRequest, ReadModels } from "@travel-booking/engines/read-store";
import type { ApiRequest, PageEntry, Route } from "@travel-booking/http";
import {
  ALL_PARTITION,
  eventSortKeyAfter,
  FLIGHTS,
  findFlightSeats,
  findFlightStatus,
  flightText,
  type StoredHold,
  shownHold,
  timeSortKey,
  toldFlight,
} from "@travel-booking/read-models";
import { seatMapOf } from "@travel-booking/read-models/seat-map";
import { jsonInTurns } from "@travel-booking/runtime/json-in-turns";
import type { QueryDependencies } from "./dependencies.ts";
import { onlyWanted } from "./only-wanted.ts";
import { accountOf, entityTag, freshEntries, freshJson, isNamed, listPage, notFound } from "./reading.ts";

const { model, byDeparture, byDestination, byRetiming } = FLIGHTS.flight;
const reads = [FLIGHTS.projection];

async function currentFlightText(models: ReadModels, flightId: string, now: number): Promise<string | undefined> {
  const seats = await findFlightSeats(models, flightId);
  return seats && flightText(seats, now);
}

type FlightFilter = Omit<FlightListQuery, "limit" | "cursor">;

/** Whether the JSON of a flight is that of one that a list with this filter has. */
function matches(json: string, { departsAfter, departsBefore, destinationId, from, cabin }: FlightFilter): boolean {
  const flight = JSON.parse(json) as FlightBody;
  const departsAt = Date.parse(flight.departsAt);
  if (departsAfter !== undefined && departsAt < departsAfter) return false;
  if (departsBefore !== undefined && departsAt >= departsBefore) return false;
  if (destinationId !== undefined && flight.destinationId !== destinationId) return false;
  if (from !== undefined && flight.from !== from) return false;
  return cabin === undefined || flight.fares.some((fare) => fare.cabin === cabin);
}

/** By departure time, then id. */
async function readFlights(
  dependencies: QueryDependencies,
  destinationId: string | undefined,
  range: Pick<PageRequest, "limit" | "after" | "from" | "before">,
): Promise<readonly PageEntry[]> {
  const list =
    destinationId === undefined
      ? { index: byDeparture, partition: ALL_PARTITION }
      : { index: byDestination, partition: destinationId };
  return readPlaces(dependencies, { ...list, order: "ascending", ...range });
}

async function readPlaces(dependencies: QueryDependencies, request: PageRequest) {
  const items = await dependencies.models.page(model, request);
  const fresh = await freshEntries(dependencies, items, currentFlightText);
  return fresh.map((item) => ({ ...item, json: toldFlight(item.json).json }));
}

/**
 * Where a list goes on: the position of the read model when it began, then a place by departure (`;`), or among what
 * was retimed since (`+`). Earlier releases, which retimed nothing, have given the place alone.
 */
const PLACE = /^(\d+)([;+])(.*)$/s;

/**
 * The flights that pass a filter, by departure. Those that were retimed since the list began come once more at its end,
 * because they may have left the part that was to come.
 */
function flightsOf(dependencies: QueryDependencies, filter: FlightFilter) {
  const { departsAfter, departsBefore, destinationId } = filter;
  const period = {
    ...(departsAfter !== undefined && { from: timeSortKey(departsAfter) }),
    ...(departsBefore !== undefined && { before: timeSortKey(departsBefore) }),
  };
  return async ({ limit, after }: Pick<PageRequest, "limit" | "after">): Promise<readonly PageEntry[]> => {
    const known = after === undefined ? dependencies.progress.positionOf(FLIGHTS.projection) : 0n;
    const [, began = String(known), part = ";", place = after] = PLACE.exec(after ?? "") ?? [];
    const goesOn = place === undefined ? {} : { after: place };
    const listed = part === ";" ? await readFlights(dependencies, destinationId, { ...period, limit, ...goesOn }) : [];
    const entries = listed.map((entry) => ({ ...entry, sort: `${began};${entry.sort}` }));
    // A list that ends with its first read has missed nothing.
    if (after === undefined || listed.length === limit || listed.at(-1)?.more) return entries;
    const since = part === "+" ? goesOn : { from: eventSortKeyAfter(BigInt(began)) };
    const list = { index: byRetiming, partition: ALL_PARTITION, order: "ascending" } as const;
    const retimed = await readPlaces(dependencies, { ...list, limit: limit - listed.length, ...since });
    const again = retimed.map(({ json, ...entry }) => ({
      ...entry,
      json: matches(json, filter) ? json : null,
      sort: `${began}+${entry.sort}`,
    }));
    return [...entries, ...again];
  };
}

/** Where two lists are merged: the places of both, as far as they are read. */
type MergedPlaces = readonly [later: string | null, earlier: string | null];

/** The flights to a destination that depart at these moments or between, the nearest to `middle` first. */
export function nearestFlights(
  dependencies: QueryDependencies,
  destinationId: string,
  { from, middle, to }: { readonly from: number; readonly middle: number; readonly to: number },
) {
  const list = { index: byDestination, partition: destinationId };
  return async ({ limit, after }: Pick<PageRequest, "limit" | "after">): Promise<readonly PageEntry[]> => {
    let [laterThan, earlierThan]: MergedPlaces = after === undefined ? [null, null] : JSON.parse(after);
    const goesOn = (place: string | null) => (place === null ? {} : { after: place });
    const upwards = { from: timeSortKey(Math.max(from, middle)), before: timeSortKey(to + 1), ...goesOn(laterThan) };
    const downwards = { from: timeSortKey(from), before: timeSortKey(middle), ...goesOn(earlierThan) };
    const later = [...(await readPlaces(dependencies, { ...list, order: "ascending", limit, ...upwards }))];
    const earlier = [...(await readPlaces(dependencies, { ...list, order: "descending", limit, ...downwards }))];
    const distance = (entry: PageEntry | undefined) =>
      entry === undefined ? Number.POSITIVE_INFINITY : Math.abs(Number.parseInt(entry.sort, 10) - middle);
    const entries: PageEntry[] = [];
    while (entries.length < limit && entries.at(-1)?.more !== true) {
      const isLater = distance(later[0]) <= distance(earlier[0]);
      const next = (isLater ? later : earlier).shift();
      if (next === undefined) break;
      if (isLater) laterThan = next.sort;
      else earlierThan = next.sort;
      entries.push({ ...next, sort: JSON.stringify([laterThan, earlierThan] satisfies MergedPlaces) });
    }
    return entries;
  };
}

/** Flights, their seats, and an account's holds of them. */
export function flightRoutes(dependencies: QueryDependencies): readonly Route[] {
  const { models, clock } = dependencies;
  return [
    {
      operation: getFlightOperation,
      reads,
      async handler({ params: { id = "" } }: ApiRequest) {
        const stored = await models.body(model, id);
        if (stored === undefined) return notFound("flight");
        const { json, status } = toldFlight(await freshJson(dependencies, id, stored, currentFlightText));
        return { status: 200, json, ...(status !== undefined && { headers: { "Flight-Status": status } }) };
      },
    },
    {
      operation: getFlightStatusOperation,
      reads,
      async handler({ params: { id = "" } }: ApiRequest) {
        const status = await findFlightStatus(models, id, clock.now());
        return status === undefined ? notFound("flight") : { status: 200, json: JSON.stringify(status) };
      },
    },
    {
      operation: searchFlightsOperation,
      reads,
      async handler({ query: { destinationId, date } }: ApiRequest<FlightSearchQuery>) {
        const day = date === undefined ? {} : { from: timeSortKey(date), before: timeSortKey(date + DAY) };
        const flights = await readFlights(dependencies, destinationId, { limit: FLIGHT_SEARCH_LIMIT, ...day });
        const json = flights.map((flight) => flight.json).join();
        return { status: 200, json: `[${json}]` };
      },
    },
    {
      operation: listFlightsOperation,
      reads,
      handler({ query }: ApiRequest<FlightListQuery>) {
        const { limit: _limit, cursor: _cursor, ...filters } = query;
        const read = flightsOf(dependencies, filters);
        const isAnyWanted = filters.from === undefined && filters.cabin === undefined;
        const scope = { operationId: listFlightsOperation.id, accountId: null, filters };
        return listPage(
          dependencies,
          scope,
          query,
          isAnyWanted ? read : onlyWanted(read, ({ json }) => matches(json, filters)),
        );
      },
    },
    {
      operation: getSeatHoldOperation,
      reads,
      async handler(request: ApiRequest) {
        const { id: flightId, holdId = "" } = request.params;
        const hold = (await models.document(FLIGHTS.hold.model, holdId))?.state as StoredHold | undefined;
        if (hold === undefined || hold.flightId !== flightId || hold.accountId !== accountOf(request)) {
          return notFound("seat hold");
        }
        return { status: 200, json: JSON.stringify(shownHold(holdId, hold, clock.now())) };
      },
    },
    {
      operation: getSeatMapOperation,
      reads,
      async handler(request: ApiRequest) {
        const seats = await findFlightSeats(models, request.params.id ?? "");
        if (seats === undefined) return notFound("flight");
        const json = await jsonInTurns(await seatMapOf(seats, clock.now()));
        // Kept by the client alone, and revalidated.
        const headers = { ETag: entityTag(json), "Cache-Control": "private, no-cache" };
        return isNamed(headers.ETag, request.header("if-none-match"))
          ? { status: 304, json: null, headers }
          : { status: 200, json, headers };
      },
    },
  ];
}
