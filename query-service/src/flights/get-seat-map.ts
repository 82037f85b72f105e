import { getSeatMapOperation, seatMapBody } from "@travel-booking/api-contract";
import type { ApiRequest, Route } from "@travel-booking/http";
import { FLIGHTS } from "@travel-booking/read-models";
import type { QueryDependencies } from "../query-dependencies.ts";
import { notFound } from "../reading/json-or-not-found.ts";
import { findOccupancy } from "./current-flight.ts";
import { entityTag, isNamed } from "./entity-tag.ts";

/** The seats of a flight at this moment; 304 for a client that has them. */
export function getSeatMap({ models, clock }: QueryDependencies): Route {
  return {
    operation: getSeatMapOperation,
    reads: [FLIGHTS.projection],
    async handler(request: ApiRequest) {
      const occupancy = await findOccupancy(models, request.params.id ?? "");
      if (occupancy === undefined) return notFound("flight");
      const json = JSON.stringify(seatMapBody(occupancy, clock.now()));
      const headers = { ETag: entityTag(json) };
      return isNamed(headers.ETag, request.header("if-none-match"))
        ? { status: 304, json: null, headers }
        : { status: 200, json, headers };
    },
  };
}
