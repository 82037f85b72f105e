import { destinationBody } from "@travel-booking/api-contract";
import type { Destination, DestinationEvent } from "@travel-booking/domain";
import { ALL, DESTINATIONS } from "@travel-booking/read-models";
import { positionSort } from "@travel-booking/read-store";
import { foldedModel, type Projection } from "../projection.ts";
import { idOf, recorded } from "./recorded.ts";

const { model, newest, byClimate } = DESTINATIONS.destination;

interface ListedDestination {
  readonly destination: Destination;
  /** Where in the log it was first listed, as text that sorts. */
  readonly created: string;
}

/** The catalogue's destinations. */
export const destinations: Projection = {
  name: DESTINATIONS.projection,
  version: 1,
  models: {
    [model]: foldedModel<ListedDestination>([newest, byClimate], ({ destination, created }) => ({
      body: JSON.stringify(destinationBody(destination)),
      indexes: {
        [newest]: { partition: ALL, sort: created },
        [byClimate]: { partition: destination.climate, sort: created },
      },
      staleAt: null,
    })),
  },
  handlers: {
    destination: {
      reads: (event) => [{ model, key: idOf(event) }],
      apply(event, documents) {
        const key = idOf(event);
        const before = documents.state<ListedDestination>(model, key);
        const state: ListedDestination = {
          destination: recorded<DestinationEvent>(event).data,
          created: before?.created ?? positionSort(event.position),
        };
        return [{ kind: "fold", model, key, state }];
      },
    },
  },
};
