import { flightBody } from "@travel-booking/api-contract/bodies";
import {
  affectedBooking,
  endedHold,
  evolveParty,
  type FlightEvent,
  type FlightPlan,
  type OccupancyEvent,
  type Party,
  type SeatsPaid,
  withFare,
} from "@travel-booking/domain";
import type { RecordedEvent } from "@travel-booking/engines/event-store";
import type { Write } from "@travel-booking/engines/read-store";
import {
  ALL_PARTITION,
  departureSortKey,
  FLIGHTS,
  FlightSeats,
  holdSortKey,
  nextExpiry,
  type StoredHold,
  type StoredSeats,
} from "@travel-booking/read-models";
import {
  aggregateIdOf,
  type Documents,
  fixedModels,
  type Projection,
  recorded,
  removal,
  wholeDocument,
} from "../projection.ts";
import { changeSeats, emptySeats, type SeatChanges } from "./flight-seats.ts";

const { flight, plan, hold, occupant } = FLIGHTS;

/** A moment before any hold expires: readers apply the clock from `staleAt` on. */
const AS_RECORDED = 0;

function putFlight(plan: FlightPlan, seats: StoredSeats, position: bigint, created = position): Write {
  const { flightId, destinationId, departsAt } = plan;
  const sort = departureSortKey(departsAt, flightId);
  return wholeDocument(flight.model, {
    key: flightId,
    position,
    created,
    body: JSON.stringify(flightBody(new FlightSeats(plan, seats), AS_RECORDED)),
    state: seats,
    indexes: {
      [flight.byDeparture]: { partition: ALL_PARTITION, sort },
      [flight.byDestination]: { partition: destinationId, sort },
    },
    staleAt: nextExpiry(seats),
  });
}

function placeOf(holdId: string, { accountId, expiresAt }: StoredHold) {
  return { [hold.byAccount]: { partition: accountId, sort: holdSortKey(expiresAt, holdId) } };
}

function put(model: string, key: string, state: unknown, position: bigint, created = position): Write {
  return wholeDocument(model, { key, state, position, created });
}

/**
 * The documents that an event needs: those of the flight, and what it ends or changes there. What it creates is not
 * there before.
 */
function reads(event: RecordedEvent) {
  const flightId = aggregateIdOf(event);
  const ofFlight = [flight, plan].map(({ model }) => ({ model, key: flightId }));
  const fact = recorded<FlightEvent>(event);
  if (fact.type === "SeatsPaid") return [];
  if (fact.type === "FlightScheduled") return ofFlight;
  const holdId = endedHold(fact);
  const bookingId = fact.type === "SeatsAllocated" ? null : affectedBooking(fact);
  return [
    ...(holdId === null ? [] : [{ model: hold.model, key: holdId }]),
    ...(bookingId === null ? [] : [{ model: occupant.model, key: bookingId }]),
    ...ofFlight,
  ];
}

/** Folds one event in. */
function evolve(
  fact: Exclude<OccupancyEvent, SeatsPaid>,
  flightId: string,
  position: bigint,
  documents: Documents,
): readonly Write[] {
  const find = <State>(model: string, key: string): State => {
    const state = documents.state<State>(model, key);
    if (state === undefined) throw new Error(`${fact.type}: there is no ${model} ${key}`);
    return state;
  };
  const known = find<FlightPlan>(plan.model, flightId);
  const seats = find<StoredSeats>(flight.model, flightId);
  const created = documents.created(flight.model, flightId);
  if (fact.type === "FareChanged") {
    const changed = withFare(known, fact.data);
    return [putFlight(changed, seats, position, created), put(plan.model, flightId, changed, position, created)];
  }

  const changes: SeatChanges = {};
  const writes: Write[] = [];
  if (fact.type === "SeatsHeld") {
    const { holdId, accountId, cabin, seats, expiresAt } = fact.data;
    changes.held = { accountId, cabin, seats, expiresAt };
    const document = { key: holdId, state: changes.held, position, indexes: placeOf(holdId, changes.held) };
    writes.push(wholeDocument(hold.model, document));
  }
  const holdId = endedHold(fact);
  if (holdId !== null) {
    changes.ended = find<StoredHold>(hold.model, holdId);
    writes.push(removal(documents, { model: hold.model, key: holdId }, position, placeOf(holdId, changes.ended)));
  }
  const bookingId = affectedBooking(fact);
  if (bookingId !== null) {
    const isNew = fact.type === "SeatsAllocated";
    changes.before = isNew ? undefined : find<Party>(occupant.model, bookingId);
    changes.after = evolveParty(changes.before, fact);
    const { model } = occupant;
    if (changes.after === undefined) writes.push(removal(documents, { model, key: bookingId }, position));
    else {
      const since = isNew ? position : documents.created(model, bookingId);
      writes.push(put(model, bookingId, changes.after, position, since));
    }
  }
  return [putFlight(known, changeSeats(known, seats, changes), position, created), ...writes];
}

/** Flights with their fares and their availability. */
export const flights: Projection = {
  name: FLIGHTS.projection,
  version: FLIGHTS.version,
  models: fixedModels(flight, plan, hold, occupant),
  handlers: {
    flight: {
      reads,
      apply(event, documents) {
        const fact = recorded<FlightEvent>(event);
        const { position } = event;
        const flightId = aggregateIdOf(event);
        // Readers see no difference.
        if (fact.type === "SeatsPaid") return [];
        if (fact.type !== "FlightScheduled") return evolve(fact, flightId, position, documents);
        const { data } = fact;
        return [putFlight(data, emptySeats(data), position), put(plan.model, flightId, data, position)];
      },
    },
  },
};
