import {
  affectedBooking,
  changeMadeBy,
  type EquipmentChanged,
  endedHold,
  evolveParty,
  type FlightCancelled,
  type FlightEvent,
  type FlightPlan,
  type FlightReinstated,
  type FlightRetimed,
  isOfSweep,
  type Party,
  planAfter,
  publicEventMadeBy,
  reseatedParty,
  type SeatsPaid,
  type SeatsRefunded,
  type SeatsRefundUndone,
  saleAfter,
  statusAfter,
  sweptOn,
} from "@travel-booking/domain";
import type { RecordedEvent } from "@travel-booking/engines/event-store";
import {
  ALL_PARTITION,
  eventSortKey,
  FLIGHTS,
  type FlightHistory,
  FlightSeats,
  feedOf,
  flightText,
  nextExpiry,
  publicEventId,
  publicEventIdOf,
  type StoredDisruption,
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
import { changeSeats, emptySeats, type SeatChanges, seatsOnShip } from "./flight-seats.ts";
import { eventPut } from "./public-event.ts";

const { flight, plan, hold, occupant, history, seating, disruption } = FLIGHTS;

/** A moment before any hold expires: readers apply the clock from `staleAt` on. */
const AS_RECORDED = 0;

/** A cancelled flight is in no list, and nothing of it changes with time. */
function flightWith(plan: FlightPlan, seats: StoredSeats): DocumentPut {
  const isCancelled = seats.sale === "cancelled";
  return {
    kind: "put",
    model: flight.model,
    key: plan.flightId,
    body: flightText(new FlightSeats(plan, seats), AS_RECORDED),
    state: seats,
    indexes: isCancelled ? {} : placesOf(plan, seats),
    staleAt: isCancelled ? null : nextExpiry(seats),
  };
}

function placesOf({ flightId, destinationId, departsAt }: FlightPlan, { retimed }: StoredSeats) {
  const sort = timeSortKey(departsAt, flightId);
  return {
    [flight.byDeparture]: { partition: ALL_PARTITION, sort },
    [flight.byDestination]: { partition: destinationId, sort },
    ...(retimed !== undefined && { [flight.byRetiming]: { partition: ALL_PARTITION, sort: retimed } }),
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
  const moved = fact.type === "EquipmentChanged" ? fact.data.reseated : [];
  const reseated = moved.map(({ bookingId }) => ({ model: occupant.model, key: occupantKey(flightId, bookingId) }));
  const swept = isOfSweep(fact) ? [{ model: disruption.model, key: fact.data.disruptionId }] : [];
  if (isDecision(fact)) return [...ofFlight, ...swept, ...reseated, { model: history.model, key: flightId }];
  if (isOfSweep(fact)) return swept;
  const holdId = endedHold(fact);
  const bookingId = fact.type === "SeatsAllocated" ? null : affectedBooking(fact);
  return [
    ...(holdId === null ? [] : [{ model: hold.model, key: holdId }]),
    ...(bookingId === null ? [] : [{ model: occupant.model, key: occupantKey(flightId, bookingId) }]),
    ...ofFlight,
  ];
}

/** A booking that moves has places on two flights for a moment. */
function occupantKey(flightId: string, bookingId: string): string {
  return `${bookingId}/${flightId}`;
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
  const swept: Change[] = [];
  if (isOfSweep(fact)) {
    const key = fact.data.disruptionId;
    const known = sweptOn(find<StoredDisruption>(disruption.model, key), fact);
    const state = fact.type === "FlightReinstated" ? { ...known, reinstatedAt: fact.at } : known;
    swept.push({ kind: "put", model: disruption.model, key, state });
    if (fact.type !== "FlightReinstated") return swept;
  }
  const flightId = aggregateIdOf(event);
  const known = find<FlightPlan>(plan.model, flightId);
  const seats = find<StoredSeats>(flight.model, flightId);
  if (fact.type === "FareChanged") return planned(planAfter(known, fact), seats);
  if (isDecision(fact)) {
    const onShip = fact.type === "EquipmentChanged" ? changeShip(fact, known, seats, find) : undefined;
    const after: StoredSeats = { ...(onShip?.seats ?? seats), ...effectOf(fact, event) };
    const before = documents.state<FlightHistory>(history.model, flightId);
    const told = historyWith(known, before, fact);
    const ofFlight = [...planned(planAfter(known, fact), after), ...told, ...swept, ...(onShip?.parties ?? [])];
    if (fact.type === "SalesClosed" || fact.type === "SalesOpened") return ofFlight;
    // The document leaves its places in the lists or comes back to them, so it is made anew.
    const indexes = seats.sale === "cancelled" ? {} : placesOf(known, seats);
    const left: Change = { kind: "delete", model: flight.model, key: flightId, indexes };
    const begins = fact.type === "FlightReinstated" ? [] : [begun(flightId, fact)];
    return [left, ...ofFlight, ...begins, ...toldToAccounts(event, fact, flightId)];
  }

  const changes: SeatChanges = {};
  const others: Change[] = [];
  if (fact.type === "SeatsHeld") {
    const { holdId, accountId, cabin, seats, expiresAt } = fact.data;
    changes.held = { flightId, accountId, cabin, seats, expiresAt, status: "active" };
    others.push({ kind: "put", model: hold.model, key: holdId, state: changes.held });
  }
  if (fact.type === "SeatBlocked" || fact.type === "SeatUnblocked") changes.blocking = fact;
  const holdId = endedHold(fact);
  if (holdId !== null) {
    changes.ended = find<StoredHold>(hold.model, holdId);
    const state: StoredHold = { ...changes.ended, status: statusAfter(fact) };
    others.push({ kind: "put", model: hold.model, key: holdId, state });
    others.push(...publicEvents(event, holdId, state));
  }
  const bookingId = affectedBooking(fact);
  if (bookingId !== null) {
    const document = { model: occupant.model, key: occupantKey(flightId, bookingId) };
    changes.before = fact.type === "SeatsAllocated" ? undefined : find<Party>(document.model, document.key);
    changes.after = evolveParty(changes.before, fact);
    others.push(
      changes.after === undefined
        ? { kind: "delete", ...document }
        : { kind: "put", ...document, state: changes.after },
    );
  }
  return [flightWith(known, changeSeats(known, seats, changes)), ...others];
}

/** The seats of the flight and of those who sit elsewhere. */
function changeShip(
  fact: EquipmentChanged,
  known: FlightPlan,
  seats: StoredSeats,
  find: <State>(model: string, key: string) => State,
): { readonly seats: StoredSeats; readonly parties: readonly DocumentPut[] } {
  const reseated = fact.data.reseated.map(({ bookingId, ...place }) => {
    const key = occupantKey(known.flightId, bookingId);
    const before = find<Party>(occupant.model, key);
    return { key, before, after: reseatedParty(before, place) };
  });
  return {
    seats: seatsOnShip(known, planAfter(known, fact), seats, reseated),
    parties: reseated.map(({ key, after: state }) => ({ kind: "put", model: occupant.model, key, state })),
  };
}

type Decided = Extract<FlightEvent, { readonly data: { readonly revision: number } }>;

/** Whether an operator has decided on the flight. */
function isDecision(fact: FlightEvent): fact is Decided {
  return "revision" in fact.data;
}

function effectOf(fact: Decided, { position }: RecordedEvent): Pick<StoredSeats, "sale" | "retimed"> {
  if (fact.type === "FlightRetimed") return { retimed: eventSortKey(position, 0) };
  const sale = saleAfter(fact);
  return sale === undefined ? {} : { sale };
}

/** Who sits where on another ship is apart: it may be long, and only bookings that follow need it. */
function historyWith(plan: FlightPlan, before: FlightHistory | undefined, fact: Decided): readonly DocumentPut[] {
  const { originalDepartsAt = plan.departsAt, changes = [] } = before ?? {};
  const made = changeMadeBy(fact, plan);
  const change = made?.kind === "equipment_changed" ? { ...made, reseated: [] } : made;
  const state: FlightHistory = {
    revision: fact.data.revision,
    originalDepartsAt,
    changes: change === undefined ? changes : [...changes, change],
  };
  const told: DocumentPut = { kind: "put", model: history.model, key: plan.flightId, state };
  if (made?.kind !== "equipment_changed") return [told];
  return [told, { kind: "put", model: seating.model, key: made.disruptionId, state: made.reseated }];
}

const KINDS = {
  FlightCancelled: "cancelled",
  FlightRetimed: "retimed",
  EquipmentChanged: "equipment_changed",
} as const;

function begun(flightId: string, { type, at, data }: FlightCancelled | FlightRetimed | EquipmentChanged): DocumentPut {
  const { disruptionId, revision, reason, bookings } = data;
  const about = { kind: KINDS[type], policy: "policy" in data ? data.policy : null };
  const begins = { status: "running", stuck: [], at, reinstatedAt: null } as const;
  const state: StoredDisruption = { flightId, disruptionId, revision, reason, bookings, ...about, ...begins };
  return { kind: "put", model: disruption.model, key: disruptionId, state };
}

/** Each account has a public event of its own. All are at one position, so that each needs a place of its own. */
function toldToAccounts(
  { id, at, revision, position }: RecordedEvent,
  { type: made, data: { accounts = [] } }: FlightCancelled | FlightReinstated | FlightRetimed | EquipmentChanged,
  flightId: string,
): readonly DocumentPut[] {
  const type = publicEventMadeBy(made);
  if (type === undefined) return [];
  return accounts.map((accountId, index) => {
    const stub = { eventId: publicEventIdOf(id, accountId), type, accountId, about: flightId, at, revision };
    return eventPut(stub, eventSortKey(position, index));
  });
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
    ...fixedModels(flight, plan, occupant, history, seating, feedOf("hold")),
    [disruption.model]: {
      represent(state: StoredDisruption, { key }) {
        const place = { partition: ALL_PARTITION, sort: timeSortKey(state.at, key) };
        const open = state.status === "ended" ? {} : { [disruption.open]: place };
        return { body: JSON.stringify(state), indexes: { [disruption.newest]: place, ...open } };
      },
    },
    [hold.model]: {
      represent({ accountId, expiresAt, status }: StoredHold, { key }) {
        if (status !== "active") return {};
        return { indexes: { [hold.byAccount]: { partition: accountId, sort: timeSortKey(expiresAt, key) } } };
      },
    },
  },
  handlers: { flight: { reads, apply } },
};
