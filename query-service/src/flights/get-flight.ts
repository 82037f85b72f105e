import { getFlightOperation } from "@travel-booking/api-contract";
import type { ApiRequest, Route } from "@travel-booking/http";
import { FLIGHTS } from "@travel-booking/read-models";
import type { QueryDependencies } from "../query-dependencies.ts";
import { freshBody } from "../reading/fresh-body.ts";
import { jsonOrNotFound } from "../reading/json-or-not-found.ts";
import { currentFlightJson } from "./current-flight.ts";

export function getFlight(dependencies: QueryDependencies): Route {
  return {
    operation: getFlightOperation,
    reads: [FLIGHTS.projection],
    matchFirst: true,
    async handler({ params }: ApiRequest) {
      return jsonOrNotFound(
        await freshBody(dependencies, FLIGHTS.flight.model, params.id ?? "", currentFlightJson),
        "flight",
      );
    },
  };
}
