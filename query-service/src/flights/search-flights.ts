import { FLIGHT_SEARCH_LIMIT, type FlightSearchQuery, searchFlightsOperation } from "@travel-booking/api-contract";
import { DAY, SECOND } from "@travel-booking/domain";
import type { ApiRequest, Route } from "@travel-booking/http";
import { departureSort, FLIGHTS } from "@travel-booking/read-models";
import type { QueryDependencies } from "../query-dependencies.ts";
import { readFlights } from "./read-flights.ts";

/** Deprecated since the first version of the API; a year later it may be gone. */
const DEPRECATED_SINCE = Date.UTC(2026, 10, 1);
const SUNSET = Date.UTC(2027, 10, 1);

/** RFC 9745 (a date in Unix seconds), RFC 8594 (an HTTP date), RFC 5829 (the link). */
const HEADERS = {
  Deprecation: `@${DEPRECATED_SINCE / SECOND}`,
  Sunset: new Date(SUNSET).toUTCString(),
  Link: '</v1/flights>; rel="successor-version"',
};

/** Flights by departure time: those of one day, to one destination, where these are named. */
export function searchFlights(dependencies: QueryDependencies): Route {
  return {
    operation: searchFlightsOperation,
    reads: [FLIGHTS.projection],
    async handler({ query: { destinationId, date } }: ApiRequest<FlightSearchQuery>) {
      const day = date === undefined ? {} : { from: departureSort(date), before: departureSort(date + DAY) };
      const flights = await readFlights(dependencies, destinationId, { limit: FLIGHT_SEARCH_LIMIT, ...day });
      const json = flights.map((flight) => Buffer.from(flight.json).toString()).join();
      return { status: 200, json: `[${json}]`, headers: HEADERS };
    },
  };
}
