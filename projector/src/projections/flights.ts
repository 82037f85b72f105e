import { flightBody } from "@travel-booking/api-contract";
import {
  availabilityChangesAt,
  emptyOccupancy,
  evolveOccupancy,
  type FlightEvent,
  type Occupancy,
} from "@travel-booking/domain";
import {
  ALL_PARTITION,
  departureSortKey,
  deserializeOccupancy,
  FLIGHTS,
  type SerializedOccupancy,
  serializeOccupancy,
} from "@travel-booking/read-models";
import { aggregateIdOf, foldedModel, type Projection, recorded } from "../projection.ts";

const { model, byDeparture, byDestination } = FLIGHTS.flight;

/** A moment before any hold expires: readers apply the clock from `staleAt` on. */
const AS_RECORDED = 0;

/**
 * A flight's occupancy while the projection works on it. Packing costs as much as there are holds and bookings, so it
 * happens once per batch. The packed state does not change, even if it is written after the occupancy has changed.
 */
class UnpackedFlight {
  readonly occupancy: Occupancy;
  #packed: SerializedOccupancy | undefined;

  constructor(occupancy: Occupancy) {
    this.occupancy = occupancy;
  }

  pack(): SerializedOccupancy {
    this.#packed ??= serializeOccupancy(this.occupancy);
    return this.#packed;
  }

  toJSON(): SerializedOccupancy {
    return this.pack();
  }
}

function occupancyOf(state: UnpackedFlight | SerializedOccupancy | undefined): Occupancy | undefined {
  return state === undefined || state instanceof UnpackedFlight ? state?.occupancy : deserializeOccupancy(state);
}

function evolve(occupancy: Occupancy | undefined, event: FlightEvent): Occupancy {
  if (event.type === "FlightScheduled") return emptyOccupancy(event.data);
  if (occupancy === undefined) throw new Error(`${event.type} on a flight that was never scheduled`);
  return evolveOccupancy(occupancy, event);
}

/** Flights with their fares and their availability. */
export const flights: Projection = {
  name: FLIGHTS.projection,
  version: 1,
  models: {
    [model]: foldedModel<UnpackedFlight>([byDeparture, byDestination], (state) => {
      const { occupancy } = state;
      const { flightId, destinationId, departsAt } = occupancy.plan;
      const sort = departureSortKey(departsAt, flightId);
      state.pack();
      return {
        body: JSON.stringify(flightBody(occupancy, AS_RECORDED)),
        indexes: {
          [byDeparture]: { partition: ALL_PARTITION, sort },
          [byDestination]: { partition: destinationId, sort },
        },
        staleAt: availabilityChangesAt(occupancy),
      };
    }),
  },
  handlers: {
    flight: {
      reads: (event) => [{ model, key: aggregateIdOf(event) }],
      apply(event, documents) {
        const key = aggregateIdOf(event);
        const before = occupancyOf(documents.state<UnpackedFlight | SerializedOccupancy>(model, key));
        const state = new UnpackedFlight(evolve(before, recorded<FlightEvent>(event)));
        return [{ kind: "fold", model, key, state }];
      },
    },
  },
};
