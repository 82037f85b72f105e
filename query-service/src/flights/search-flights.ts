import { FLIGHT_SEARCH_LIMIT, type FlightSearchQuery, searchFlightsOperation } from "@travel-booking/api-contract";
import { DAY } from "@travel-booking/domain";
import type { ApiRequest, Route } from "@travel-booking/http";
import { departureSortKey, FLIGHTS } from "@travel-booking/read-models";
import type { QueryDependencies } from "../query-dependencies.ts";
import { readFlights } from "./read-flights.ts";

/** Flights by departure time: those of one day, to one destination, where these are named. */
export function searchFlights(dependencies: QueryDependencies): Route {
  return {
    operation: searchFlightsOperation,
    reads: [FLIGHTS.projection],
    async handler({ query: { destinationId, date } }: ApiRequest<FlightSearchQuery>) {
      const day = date === undefined ? {} : { from: departureSortKey(date), before: departureSortKey(date + DAY) };
      const flights = await readFlights(dependencies, destinationId, { limit: FLIGHT_SEARCH_LIMIT, ...day });
      const json = flights.map((flight) => Buffer.from(flight.json).toString()).join();
      return { status: 200, json: `[${json}]` };
    },
  };
}
