import { flightBody } from "@travel-booking/api-contract/bodies";
import {
  affectedBooking,
  endedHold,
  evolveParty,
  type FlightEvent,
  type FlightPlan,
  type Party,
  publicEventMadeBy,
  type SeatsPaid,
  type SeatsRefunded,
  type SeatsRefundUndone,
  statusAfter,
  withFare,
} from "@travel-booking/domain";
import type { RecordedEvent } from "@travel-booking/engines/event-store";
import {
  ALL_PARTITION,
  eventSortKey,
  FLIGHTS,
  FlightSeats,
  feedOf,
  nextExpiry,
  publicEventId,
  type StoredHold,
  type StoredSeats,
  timeSortKey,
} from "@travel-booking/read-models";
import {
  aggregateIdOf,
  type Change,
  type DocumentPut,
  type Documents,
  fixedModels,
  type Projection,
  recorded,
} from "../projection.ts";
import { changeSeats, emptySeats, type SeatChanges } from "./flight-seats.ts";
import { eventPut } from "./public-event.ts";

const { flight, plan, hold, occupant } = FLIGHTS;

/** A moment before any hold expires: readers apply the clock from `staleAt` on. */
const AS_RECORDED = 0;

function flightWith(plan: FlightPlan, seats: StoredSeats): DocumentPut {
  const { flightId, destinationId, departsAt } = plan;
  const sort = timeSortKey(departsAt, flightId);
  return {
    kind: "put",
    model: flight.model,
    key: flightId,
    body: JSON.stringify(flightBody(new FlightSeats(plan, seats), AS_RECORDED)),
    state: seats,
    indexes: {
      [flight.byDeparture]: { partition: ALL_PARTITION, sort },
      [flight.byDestination]: { partition: destinationId, sort },
    },
    staleAt: nextExpiry(seats),
  };
}

/** Readers see no difference. */
function tellsOfPayment(fact: FlightEvent): fact is SeatsPaid | SeatsRefunded | SeatsRefundUndone {
  return fact.type === "SeatsPaid" || fact.type === "SeatsRefunded" || fact.type === "SeatsRefundUndone";
}

/**
 * The documents that an event needs: those of the flight, and what it ends or changes there. What it creates is not
 * there before.
 */
function reads(event: RecordedEvent) {
  const flightId = aggregateIdOf(event);
  const ofFlight = [flight, plan].map(({ model }) => ({ model, key: flightId }));
  const fact = recorded<FlightEvent>(event);
  if (tellsOfPayment(fact)) return [];
  if (fact.type === "FlightScheduled") return ofFlight;
  const holdId = endedHold(fact);
  const bookingId = fact.type === "SeatsAllocated" ? null : affectedBooking(fact);
  return [
    ...(holdId === null ? [] : [{ model: hold.model, key: holdId }]),
    ...(bookingId === null ? [] : [{ model: occupant.model, key: bookingId }]),
    ...ofFlight,
  ];
}

/** A flight with this plan, and the plan. */
function planned(planNow: FlightPlan, seats: StoredSeats): readonly Change[] {
  return [flightWith(planNow, seats), { kind: "put", model: plan.model, key: planNow.flightId, state: planNow }];
}

function apply(event: RecordedEvent, documents: Documents): readonly Change[] {
  const fact = recorded<FlightEvent>(event);
  if (tellsOfPayment(fact)) return [];
  if (fact.type === "FlightScheduled") return planned(fact.data, emptySeats(fact.data));
  const find = <State>(model: string, key: string): State => {
    const state = documents.state<State>(model, key);
    if (state === undefined) throw new Error(`${fact.type}: there is no ${model} ${key}`);
    return state;
  };
  const flightId = aggregateIdOf(event);
  const known = find<FlightPlan>(plan.model, flightId);
  const seats = find<StoredSeats>(flight.model, flightId);
  if (fact.type === "FareChanged") return planned(withFare(known, fact.data), seats);

  const changes: SeatChanges = {};
  const others: Change[] = [];
  if (fact.type === "SeatsHeld") {
    const { holdId, accountId, cabin, seats, expiresAt } = fact.data;
    changes.held = { flightId, accountId, cabin, seats, expiresAt, status: "active" };
    others.push({ kind: "put", model: hold.model, key: holdId, state: changes.held });
  }
  const holdId = endedHold(fact);
  if (holdId !== null) {
    changes.ended = find<StoredHold>(hold.model, holdId);
    const state: StoredHold = { ...changes.ended, status: statusAfter(fact) };
    others.push({ kind: "put", model: hold.model, key: holdId, state });
    others.push(...publicEvents(event, holdId, state));
  }
  const bookingId = affectedBooking(fact);
  if (bookingId !== null) {
    const document = { model: occupant.model, key: bookingId };
    changes.before = fact.type === "SeatsAllocated" ? undefined : find<Party>(document.model, bookingId);
    changes.after = evolveParty(changes.before, fact);
    others.push(
      changes.after === undefined
        ? { kind: "delete", ...document }
        : { kind: "put", ...document, state: changes.after },
    );
  }
  return [flightWith(known, changeSeats(known, seats, changes)), ...others];
}

/** The public event that a seat hold makes by its end, if any. */
function publicEvents(
  { id, type: made, at, revision, position }: RecordedEvent,
  about: string,
  { accountId }: StoredHold,
): readonly DocumentPut[] {
  const type = publicEventMadeBy(made as FlightEvent["type"]);
  if (type === undefined) return [];
  const stub = { eventId: publicEventId(id, type, about), type, accountId, about, at, revision };
  return [eventPut(stub, eventSortKey(position, 0))];
}

/** Flights with their fares and their availability. */
export const flights: Projection = {
  name: FLIGHTS.projection,
  version: FLIGHTS.version,
  models: {
    ...fixedModels(flight, plan, occupant, feedOf("hold")),
    [hold.model]: {
      represent({ accountId, expiresAt, status }: StoredHold, { key }) {
        if (status !== "active") return {};
        return { indexes: { [hold.byAccount]: { partition: accountId, sort: timeSortKey(expiresAt, key) } } };
      },
    },
  },
  handlers: { flight: { reads, apply } },
};
