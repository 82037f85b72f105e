import { flightBody } from "@travel-booking/api-contract";
import {
  availabilityChangesAt,
  emptyOccupancy,
  evolveOccupancy,
  type FlightEvent,
  type Occupancy,
  type PackedOccupancy,
  packOccupancy,
  unpackOccupancy,
} from "@travel-booking/domain";
import { ALL, departureSort, FLIGHTS } from "@travel-booking/read-models";
import type { Document } from "@travel-booking/read-store";
import type { Recorded } from "../recorded.ts";

function fold(occupancy: Occupancy | null, event: FlightEvent): Occupancy {
  if (event.type === "FlightScheduled") return emptyOccupancy(event.data);
  if (occupancy === null) throw new Error(`${event.type} on a flight that was never scheduled`);
  return evolveOccupancy(occupancy, event);
}

/**
 * A flight after further events of it, in order. Unpacking what is on it costs as much as there are holds and
 * bookings, so all events of a batch are folded at once. The body is true until the next hold lapses; from then on
 * readers make theirs from the state.
 */
export function flightDocument(
  previous: Document | undefined,
  events: readonly [Recorded<FlightEvent>, ...Recorded<FlightEvent>[]],
): Document {
  const [first] = events;
  const last = events.at(-1) ?? first;
  const before = previous === undefined ? null : unpackOccupancy(previous.state as PackedOccupancy);
  const occupancy = events.slice(1).reduce(fold, fold(before, first));
  const { flightId, destinationId, departsAt } = occupancy.plan;
  const sort = departureSort(departsAt, flightId);
  const { byDeparture, byDestination } = FLIGHTS.flight;
  return {
    key: flightId,
    position: last.position,
    created: previous?.created ?? first.position,
    body: JSON.stringify(flightBody(occupancy, last.at)),
    state: packOccupancy(occupancy),
    indexes: { [byDeparture]: { partition: ALL, sort }, [byDestination]: { partition: destinationId, sort } },
    staleAt: availabilityChangesAt(occupancy),
  };
}
