import { getDestinationOperation } from "@travel-booking/api-contract";
import type { ApiRequest, Route } from "@travel-booking/http";
import { DESTINATIONS } from "@travel-booking/read-models";
import type { QueryDependencies } from "../query-dependencies.ts";
import { jsonOrNotFound } from "../reading/json-or-not-found.ts";

export function getDestination({ models }: QueryDependencies): Route {
  return {
    operation: getDestinationOperation,
    reads: [DESTINATIONS.projection],
    async handler({ params }: ApiRequest) {
      const body = await models.body(DESTINATIONS.destination.model, params.id ?? "");
      return jsonOrNotFound(body?.json, "destination");
    },
  };
}
