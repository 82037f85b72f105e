import { getFlightOperation } from "@travel-booking/api-contract";
import type { ApiRequest, Route } from "@travel-booking/http";
import { FLIGHTS } from "@travel-booking/read-models";
import type { QueryDependencies } from "../query-dependencies.ts";
import { found } from "../reading/found.ts";
import { timelyBody } from "../reading/timely.ts";
import { flightNow } from "./flight-now.ts";

export function getFlight(dependencies: QueryDependencies): Route {
  return {
    operation: getFlightOperation,
    reads: [FLIGHTS.projection],
    hot: true,
    async handler({ params }: ApiRequest) {
      return found(await timelyBody(dependencies, FLIGHTS.flight.model, params.id ?? "", flightNow), "flight");
    },
  };
}
