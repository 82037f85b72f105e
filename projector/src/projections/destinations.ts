import { destinationBody } from "@travel-booking/api-contract/bodies";
import type { Destination, DestinationEvent } from "@travel-booking/domain";
import { ALL_PARTITION, DESTINATIONS } from "@travel-booking/read-models";
import { aggregateIdOf, foldingHandler, type Projection, placesByCreation } from "../projection.ts";

const { model, newest, byClimate } = DESTINATIONS.destination;

/** The catalogue's destinations. */
export const destinations: Projection = {
  name: DESTINATIONS.projection,
  version: DESTINATIONS.version,
  models: {
    [model]: {
      represent: (destination: Destination, { created }) => ({
        body: JSON.stringify(destinationBody(destination)),
        indexes: placesByCreation(created, { [newest]: ALL_PARTITION, [byClimate]: destination.climate }),
      }),
    },
  },
  handlers: {
    /** Each event carries the whole destination. */
    destination: foldingHandler<Destination, DestinationEvent>(model, aggregateIdOf, (_, { data }) => data),
  },
};
