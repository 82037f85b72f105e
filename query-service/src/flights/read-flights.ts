import type { PageRequest } from "@travel-booking/engines/read-store";
import type { PageEntry } from "@travel-booking/http";
import { ALL_PARTITION, FLIGHTS } from "@travel-booking/read-models";
import type { QueryDependencies } from "../query-dependencies.ts";
import { freshEntries } from "../reading/fresh-body.ts";
import { currentFlightJson } from "./current-flight.ts";

/** Flights by departure time, then id; those to one destination, if one is named. */
export async function readFlights(
  dependencies: QueryDependencies,
  destinationId: string | undefined,
  range: Pick<PageRequest, "limit" | "after" | "from" | "before">,
): Promise<readonly PageEntry[]> {
  const { model, byDeparture, byDestination } = FLIGHTS.flight;
  const list =
    destinationId === undefined
      ? { index: byDeparture, partition: ALL_PARTITION }
      : { index: byDestination, partition: destinationId };
  const items = await dependencies.models.page(model, { ...list, order: "ascending", ...range });
  return freshEntries(dependencies, items, currentFlightJson);
}
