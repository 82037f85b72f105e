import { destinationBody } from "@travel-booking/api-contract/bodies";
import type { Destination, DestinationEvent } from "@travel-booking/domain";
import { positionSort } from "@travel-booking/engines/read-store";
import { ALL_PARTITION, DESTINATIONS } from "@travel-booking/read-models";
import { aggregateIdOf, foldedModel, foldingHandler, type Projection } from "../projection.ts";

const { model, newest, byClimate } = DESTINATIONS.destination;

/** The catalogue's destinations. */
export const destinations: Projection = {
  name: DESTINATIONS.projection,
  version: DESTINATIONS.version,
  models: {
    [model]: foldedModel<Destination>([newest, byClimate], (destination, { created }) => {
      const sort = positionSort(created);
      return {
        body: JSON.stringify(destinationBody(destination)),
        indexes: {
          [newest]: { partition: ALL_PARTITION, sort },
          [byClimate]: { partition: destination.climate, sort },
        },
      };
    }),
  },
  handlers: {
    /** Each event carries the whole destination. */
    destination: foldingHandler<Destination, DestinationEvent>(model, aggregateIdOf, (_, { data }) => data),
  },
};
