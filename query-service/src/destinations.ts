import {
  type DestinationListQuery,
  getDestinationOperation,
  listDestinationsOperation,
} from "@travel-booking/api-contract";
import type { ApiRequest, Route } from "@travel-booking/http";
import { ALL_PARTITION, DESTINATIONS } from "@travel-booking/read-models";
import type { QueryDependencies } from "./dependencies.ts";
import { jsonOrNotFound, listPage } from "./reading.ts";

const { model, newest, byClimate } = DESTINATIONS.destination;
const reads = [DESTINATIONS.projection];

/** The catalogue's destinations; lists are newest first. */
export function destinationRoutes(dependencies: QueryDependencies): readonly Route[] {
  const { models } = dependencies;
  return [
    {
      operation: listDestinationsOperation,
      reads,
      handler({ query }: ApiRequest<DestinationListQuery>) {
        const { climate } = query;
        const list =
          climate === undefined
            ? { index: newest, partition: ALL_PARTITION }
            : { index: byClimate, partition: climate };
        const scope = { operationId: listDestinationsOperation.id, accountId: null, filters: { climate } };
        return listPage(dependencies, scope, query, (range) =>
          models.page(model, { ...list, order: "descending", ...range }),
        );
      },
    },
    {
      operation: getDestinationOperation,
      reads,
      async handler({ params }: ApiRequest) {
        return jsonOrNotFound((await models.body(model, params.id ?? ""))?.json, "destination");
      },
    },
  ];
}
