import {
  type DestinationListQuery,
  getDestinationOperation,
  listDestinationsOperation,
} from "@travel-booking/api-contract";
import { type ApiRequest, pageResponse, type Route } from "@travel-booking/http";
import { ALL_PARTITION, DESTINATIONS } from "@travel-booking/read-models";
import type { QueryDependencies } from "./dependencies.ts";
import { jsonOrNotFound } from "./reading.ts";

/** Newest first; of one climate, if one is named. */
export function listDestinations({ models, cursors }: QueryDependencies): Route {
  const { model, newest, byClimate } = DESTINATIONS.destination;
  return {
    operation: listDestinationsOperation,
    reads: [DESTINATIONS.projection],
    handler({ query: { climate, limit, cursor } }: ApiRequest<DestinationListQuery>) {
      const list =
        climate === undefined ? { index: newest, partition: ALL_PARTITION } : { index: byClimate, partition: climate };
      return pageResponse({
        cursors,
        scope: { operationId: listDestinationsOperation.id, accountId: null, filters: { climate } },
        limit,
        cursor,
        read: (limit, after) =>
          models.page(model, { ...list, order: "descending", limit, ...(after === undefined ? {} : { after }) }),
      });
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
