import { setImmediate } from "node:timers/promises";
import {
  accountsOn,
  type BookingEvent,
  type BookingState,
  bookingDecider,
  changesOf,
  type ExistingBooking,
  type FlightChange,
  type FlightState,
  findPayment,
  flightDecider,
  foreseeMove,
  isExistingBooking,
  type OperatorDecisionCommand,
  type PublicEventType,
  type Rejection,
} from "@travel-booking/domain";
import {
  type DisruptionPlan,
  type PlannedMoney,
  type PlannedPlaces,
  publicEventsOf,
  registeredEndpoints,
} from "@travel-booking/read-models";
import { bookingStream, flightStream } from "../streams.ts";
import type { OperatorServices } from "./operator-services.ts";

interface Foreseen {
  /** As it is after the decision. */
  readonly flight: FlightState;
  readonly revision: number;
  /** All that bookings have to follow then; empty: they follow nothing. */
  readonly changes: readonly FlightChange[];
  /** Who is told that the flight has changed. */
  readonly accounts: readonly string[];
  readonly bookingIds: readonly string[];
}

/** The decision that the flight would make now, and what would follow from it for each booking. Nothing is recorded. */
export async function planOf(
  services: OperatorServices,
  flightId: string,
  make: (revision: number) => OperatorDecisionCommand,
): Promise<DisruptionPlan | Rejection> {
  const { handler, clock } = services;
  const at = clock.now();
  const foreseen = await handler.readState({
    ...flightStream(flightId),
    reply: (flight): Foreseen | Rejection => foresee(flight, make, at),
  });
  if ("code" in foreseen) return foreseen;
  const { flight, revision, changes, accounts } = foreseen;
  const plan = new PlanTally(await subscriptions(services), flight, await acceptingFlights(services, changes));
  if (changes.length > 0) plan.tell(accounts);
  for (const bookingId of changes.length === 0 ? [] : await inOrder(services, foreseen.bookingIds)) {
    // Requests get their turn.
    await setImmediate();
    await handler.readState({ ...bookingStream(bookingId), reply: (booking) => plan.add(booking, changes, at) });
  }
  return { flightId, revision, ...plan.result, ...seatingBy(changes.at(-1)) };
}

/** How many bookings sit elsewhere on another ship, and how many have no place. */
function seatingBy(change: FlightChange | undefined): Pick<DisruptionPlan, "reseated" | "unplaced"> {
  if (change?.kind !== "equipment_changed") return {};
  const unplaced = change.reseated.filter(({ overfull }) => overfull).length;
  return { reseated: change.reseated.length - unplaced, unplaced };
}

function foresee(
  flight: FlightState,
  make: (revision: number) => OperatorDecisionCommand,
  at: number,
): Foreseen | Rejection {
  if (flight.status === "unscheduled") return { code: "flight_not_found" };
  const { revision, occupancy } = flight;
  const { events, rejection } = flightDecider.decide(make(revision), flight, at);
  if (rejection !== undefined) return rejection;
  const after = events.reduce(flightDecider.evolve, copyOf(flight));
  const changes = changesOf(after);
  const isNew = changes.at(-1)?.revision === revision + 1;
  return {
    flight: after,
    revision,
    changes: isNew ? changes : [],
    accounts: accountsOn(occupancy, at),
    bookingIds: [...occupancy.occupants.keys()],
  };
}

function copyOf(flight: FlightState): FlightState {
  return flightDecider.copy?.(flight) ?? flight;
}

/** The flights that bookings would be moved to, in this order. */
async function acceptingFlights(
  { handler }: OperatorServices,
  changes: readonly FlightChange[],
): Promise<Map<string, FlightState>> {
  const last = changes.at(-1);
  const flights = new Map<string, FlightState>();
  for (const flightId of (last?.kind === "cancelled" && last.into) || [])
    flights.set(flightId, await handler.readState({ ...flightStream(flightId), reply: copyOf }));
  return flights;
}

/** As the sweep takes them: confirmed ones first, by the time of their confirmation. */
async function inOrder(services: OperatorServices, bookingIds: readonly string[]): Promise<readonly string[]> {
  const confirmed = await confirmedAmong(services, bookingIds);
  return [...new Set([...confirmed, ...bookingIds])];
}

/** The confirmed bookings on a flight, the earliest first. */
export async function confirmedOn(services: OperatorServices, flightId: string): Promise<readonly string[]> {
  const bookingIds = await services.handler.readState({
    ...flightStream(flightId),
    reply: (flight) => (flight.status === "unscheduled" ? [] : [...flight.occupancy.occupants.keys()]),
  });
  return confirmedAmong(services, bookingIds);
}

async function confirmedAmong(
  { handler }: OperatorServices,
  bookingIds: readonly string[],
): Promise<readonly string[]> {
  const found: { readonly bookingId: string; readonly confirmedAt: number }[] = [];
  for (const bookingId of bookingIds) {
    // Requests get their turn.
    await setImmediate();
    const confirmedAt = await handler.readState({
      ...bookingStream(bookingId),
      reply: (booking) => (booking.status === "confirmed" ? booking.confirmedAt : undefined),
    });
    if (confirmedAt !== undefined) found.push({ bookingId, confirmedAt });
  }
  return found.sort((one, other) => one.confirmedAt - other.confirmedAt).map(({ bookingId }) => bookingId);
}

/** How many endpoints of each account are told of each type of event. */
type Subscriptions = (accountId: string, type: PublicEventType) => number;

async function subscriptions({ models }: OperatorServices): Promise<Subscriptions> {
  const counts = new Map<string, number>();
  for (const { accountId, events } of await registeredEndpoints(models)) {
    for (const type of events) counts.set(`${accountId} ${type}`, (counts.get(`${accountId} ${type}`) ?? 0) + 1);
  }
  return (accountId, type) => counts.get(`${accountId} ${type}`) ?? 0;
}

/** Adds up what would become of the bookings on a flight. */
class PlanTally {
  readonly #subscriptions: Subscriptions;
  readonly #flight: FlightState;
  /** They fill up. */
  readonly #accepting: Map<string, FlightState>;
  readonly #bookings = new Map<string, DisruptionPlan["bookings"][number]>();
  readonly #money = new Map<string, PlannedMoney>();
  readonly #places = new Map<string, PlannedPlaces>();
  readonly #placeless: string[] = [];
  #significant = 0;
  #passports = 0;
  #webhooks = 0;

  constructor(subscriptions: Subscriptions, flight: FlightState, accepting: Map<string, FlightState>) {
    this.#subscriptions = subscriptions;
    this.#flight = flight;
    this.#accepting = accepting;
  }

  tell(accounts: readonly string[]): void {
    for (const accountId of accounts) this.#webhooks += this.#subscriptions(accountId, "flight.changed");
  }

  add(booking: BookingState, changes: readonly FlightChange[], at: number): void {
    if (!isExistingBooking(booking)) return;
    const { flightId, status, cabin, passengers, accountId } = booking;
    const before = this.#bookings.get(`${status} ${cabin}`) ?? { status, cabin, bookings: 0, passengers: 0 };
    const counted = { bookings: before.bookings + 1, passengers: before.passengers + passengers.length };
    this.#bookings.set(`${status} ${cabin}`, { ...before, ...counted });
    const followed = bookingDecider.decide({ type: "FollowFlight", flightId, changes }, booking, at).events;
    for (const event of [...followed, ...this.#moved(booking, followed, changes, at)]) {
      this.#addMoney(booking, event);
      if ((event.type === "BookingDisrupted" || event.type === "CaseRevised") && event.data.significant)
        this.#significant += 1;
      if (event.type === "DocumentRejected" || event.type === "DocumentReopened") this.#passports += 1;
      for (const { type } of publicEventsOf(event, {})) this.#webhooks += this.#subscriptions(accountId, type);
    }
  }

  #moved(
    booking: ExistingBooking,
    followed: readonly BookingEvent[],
    changes: readonly FlightChange[],
    at: number,
  ): readonly BookingEvent[] {
    const then = followed.reduce(bookingDecider.evolve, structuredClone(booking) as BookingState);
    const foreseen = foreseeMove(then, changes, this.#flight, this.#accepting, at);
    if (foreseen === undefined) return [];
    const { flightId, events } = foreseen;
    if (flightId === undefined) {
      this.#placeless.push(booking.bookingId);
      return events;
    }
    const { cabin, passengers } = booking;
    const before = this.#places.get(`${flightId} ${cabin}`) ?? { flightId, cabin, bookings: 0, passengers: 0 };
    const counted = { bookings: before.bookings + 1, passengers: before.passengers + passengers.length };
    this.#places.set(`${flightId} ${cabin}`, { ...before, ...counted });
    return events;
  }

  #addMoney(booking: BookingState, { type, data }: BookingEvent): void {
    if (type !== "RefundStarted" && type !== "ReturnDue") return;
    const { currency, amount, paymentId } = data;
    const method = type === "ReturnDue" ? "return" : (findPayment(booking, paymentId)?.method.type ?? "card");
    const before = this.#money.get(`${currency} ${method}`)?.amount ?? 0;
    this.#money.set(`${currency} ${method}`, { currency, method, amount: before + amount });
  }

  get result(): Omit<DisruptionPlan, "flightId" | "revision" | "reseated" | "unplaced"> {
    return {
      bookings: [...this.#bookings.values()],
      significant: this.#significant,
      places: [...this.#places.values()],
      placeless: this.#placeless,
      passports: this.#passports,
      money: [...this.#money.values()],
      webhooks: this.#webhooks,
    };
  }
}
