import { timeSortKey } from "./keys.ts";

/** Projection `flights`: each flight with its fares and who has what on it, by id. */
export const FLIGHTS = {
  projection: "flights",
  flight: {
    model: "flights.flight",
    /** Partition `ALL_PARTITION`, sorted by `departureSortKey`. */
    byDeparture: "byDeparture",
    /** The same, one partition per destination. */
    byDestination: "byDestination",
  },
} as const;

/** By departure time, then id. With the id left out: the lowest place of all that depart at that moment or later. */
export function departureSortKey(departsAt: number, flightId = ""): string {
  return flightId === "" ? timeSortKey(departsAt) : `${timeSortKey(departsAt)}/${flightId}`;
}
