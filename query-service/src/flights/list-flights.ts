import { type FlightListQuery, listFlightsOperation } from "@travel-booking/api-contract";
import { type ApiRequest, pageResponse, type Route } from "@travel-booking/http";
import { departureSortKey, FLIGHTS } from "@travel-booking/read-models";
import type { QueryDependencies } from "../query-dependencies.ts";
import { readFlights } from "./read-flights.ts";

export function listFlights(dependencies: QueryDependencies): Route {
  return {
    operation: listFlightsOperation,
    reads: [FLIGHTS.projection],
    handler({ query: { departsAfter, destinationId, limit, cursor } }: ApiRequest<FlightListQuery>) {
      const from = departsAfter === undefined ? {} : { from: departureSortKey(departsAfter) };
      return pageResponse({
        cursors: dependencies.cursors,
        scope: { operationId: listFlightsOperation.id, accountId: null, filters: { departsAfter, destinationId } },
        limit,
        cursor,
        read: (limit, after) =>
          readFlights(dependencies, destinationId, { limit, ...from, ...(after === undefined ? {} : { after }) }),
      });
    },
  };
}
