import {
  type DestinationListQuery,
  getDestinationOperation,
  listDestinationsOperation,
} from "@travel-booking/api-contract";
import type { ApiRequest, Route } from "@travel-booking/http";
import { ALL_PARTITION, DESTINATIONS } from "@travel-booking/read-models";
import type { QueryDependencies } from "./dependencies.ts";
import { jsonOrNotFound, listPage } from "./reading.ts";

/** Newest first. */
export function listDestinations(dependencies: QueryDependencies): Route {
  const { model, newest, byClimate } = DESTINATIONS.destination;
  return {
    operation: listDestinationsOperation,
    reads: [DESTINATIONS.projection],
    handler({ query }: ApiRequest<DestinationListQuery>) {
      const { climate } = query;
      const list =
        climate === undefined ? { index: newest, partition: ALL_PARTITION } : { index: byClimate, partition: climate };
      const scope = { operationId: listDestinationsOperation.id, accountId: null, filters: { climate } };
      return listPage(dependencies, scope, query, (range) =>
        dependencies.models.page(model, { ...list, order: "descending", ...range }),
      );
    },
  };
}

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
