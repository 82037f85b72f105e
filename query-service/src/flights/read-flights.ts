import type { PageRequest } from "@travel-booking/engines/read-store";
import type { PageEntry } from "@travel-booking/http";
import { ALL, FLIGHTS } from "@travel-booking/read-models";
import type { QueryDependencies } from "../query-dependencies.ts";
import { timelyEntries } from "../reading/timely.ts";
import { flightNow } from "./flight-now.ts";

/** Flights by departure time, then id; those to one destination, if one is named. */
export async function readFlights(
  dependencies: QueryDependencies,
  destinationId: string | undefined,
  range: Pick<PageRequest, "limit" | "after" | "from" | "before">,
): Promise<readonly PageEntry[]> {
  const { model, byDeparture, byDestination } = FLIGHTS.flight;
  const list =
    destinationId === undefined
      ? { index: byDeparture, partition: ALL }
      : { index: byDestination, partition: destinationId };
  const items = await dependencies.models.page(model, { ...list, order: "ascending", ...range });
  return timelyEntries(dependencies, items, flightNow);
}
