import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { flightBody, MAX_AMOUNT } from "@travel-booking/api-contract";
import {
  type BookingState,
  bookingCodeOf,
  CABINS,
  type DomainEvent,
  type FlightCommand,
  type FlightState,
  type Instant,
  isExistingBooking,
  netAmountPaid,
  type Occupant,
  passportChecks,
  type RecordedSeats,
  type ScheduledFlight,
  seatsLeft,
  seatsOf,
  sequenceOf,
} from "@travel-booking/domain";
import { OperatorError, type OperatorRequest, type OperatorRoute, operatorRoute } from "@travel-booking/http/operator";
import { type FlightAnswer, type FlightMoney, findFlightSeats, type ManifestRow } from "@travel-booking/read-models";
import { seatMapOf } from "@travel-booking/read-models/seat-map";
import { z } from "zod";
import { type Fold, stateOf } from "../command-handling/folded-stream.ts";
import { rejectionResponse } from "../responses.ts";
import { bookingStream, flightStream } from "../streams.ts";
import { line, type OperatorServices, operatorContext, parse, refusedAs } from "./operator-services.ts";
import { amountOf, sumFields } from "./transfers.ts";

const NONE = "no flight with this id";
const seat = z.string().trim().toUpperCase().min(1).max(16);
const blocked = z.strictObject({ seat, reason: line(500).nullable().default(null) });
const unblocked = z.strictObject({ seat });
const fare = z.strictObject({ cabin: z.enum(CABINS), ...sumFields });
const asked = z.strictObject({ asOf: z.iso.datetime({ offset: true }).optional() });

/** `flight show` (two of them), `manifest`, `block`, `unblock`, `fare`. */
export function flightRoutes(services: OperatorServices): readonly OperatorRoute[] {
  return [
    operatorRoute("GET", "/operator/flights/:id", ({ params: { id = "" } }) => show(services, id)),
    operatorRoute("GET", "/operator/flights/:id/money", ({ params: { id = "" } }) => moneyOf(services, id)),
    {
      method: "GET",
      path: "/operator/flights/:id/manifest",
      lines: ({ params: { id = "" }, query }) => manifest(services, id, parse(asked, query).asOf),
    },
    operatorRoute("POST", "/operator/flights/:id/block", (request) =>
      adjust(services, request, { type: "BlockSeat", ...parse(blocked, request.body) }),
    ),
    operatorRoute("POST", "/operator/flights/:id/unblock", (request) =>
      adjust(services, request, { type: "UnblockSeat", ...parse(unblocked, request.body) }),
    ),
    operatorRoute("POST", "/operator/flights/:id/fare", async (request) => {
      const { cabin, ...sum } = parse(fare, request.body);
      const cabins = (await findFlightSeats(services.models, request.params.id ?? ""))?.plan.cabins ?? [];
      const amount = amountOf(sum, cabins.find((each) => each.cabin === cabin)?.currency ?? "USD");
      if (amount > MAX_AMOUNT)
        throw new OperatorError(400, `amount must be at most ${MAX_AMOUNT}, as in the catalogue`);
      return adjust(services, request, { type: "ChangeFare", cabin, amount });
    }),
  ];
}

/** @throws OperatorError 404, 409 in the words that clients are told. */
async function adjust(services: OperatorServices, request: OperatorRequest, command: FlightCommand) {
  const id = request.params.id ?? "";
  const outcome = await services.handler.execute({
    ...flightStream(id),
    command,
    context: operatorContext(request),
    reply: () => undefined,
  });
  if (!outcome.accepted) throw refusedAs(rejectionResponse(outcome.rejection));
  await services.waitUntilProjected(outcome.position);
  return show(services, id);
}

/** A flight as clients see it, with its seat map, and what operators see besides. */
async function show(services: OperatorServices, id: string): Promise<FlightAnswer> {
  const { models, clock, handler } = services;
  const seats = await findFlightSeats(models, id);
  if (seats === undefined) throw new OperatorError(404, NONE);
  const now = clock.now();
  const blocked = await handler.readState({
    ...flightStream(id),
    reply: (flight) => Array.from(scheduled(flight).blocked, ([seat, reason]) => ({ seat, reason })),
  });
  return {
    ...flightBody(seats, now),
    sale: seats.sale,
    load: loadOf(seats, now),
    blocked,
    seatMap: (await seatMapOf(seats, now)).cabins,
  };
}

/** What those have paid who have places on it. */
async function moneyOf({ handler }: OperatorServices, id: string): Promise<FlightMoney> {
  const bookings = await handler.readState({
    ...flightStream(id),
    reply: (flight) => [...scheduled(flight).occupants.keys()],
  });
  const paid = new Map<string, number>();
  for (const bookingId of bookings) {
    // Requests get their turn.
    await setImmediate();
    await handler.readState({
      ...bookingStream(bookingId),
      reply: (booking) => {
        if (!isExistingBooking(booking)) return;
        paid.set(booking.currency, (paid.get(booking.currency) ?? 0) + netAmountPaid(booking));
      },
    });
  }
  return { bookings: bookings.length, paid: Array.from(paid, ([currency, amount]) => ({ currency, amount })) };
}

/** By cabin. */
export function loadOf(seats: RecordedSeats, at: Instant): FlightAnswer["load"] {
  return seats.plan.cabins.map((plan) => {
    const { cabin } = plan;
    const { unblocked = 0, committed = 0 } = seats.capacityOf(cabin) ?? {};
    const [all, left] = [seatsOf(plan).length, seatsLeft(seats, cabin, at)];
    return { cabin, seats: all, blocked: all - unblocked, booked: committed, held: unblocked - committed - left, left };
  });
}

function scheduled(flight: FlightState): ScheduledFlight["occupancy"] {
  if (flight.status === "unscheduled") throw new OperatorError(404, NONE);
  return flight.occupancy;
}

/** Everybody on board at a moment, as they board; by default now. Read from the streams, which have every moment. */
async function manifest(
  { store, clock }: OperatorServices,
  id: string,
  asOf: string | undefined,
): Promise<AsyncIterable<ManifestRow>> {
  const now = clock.now();
  const at = asOf === undefined ? now : Date.parse(asOf);
  if (at > now) throw new OperatorError(400, "asOf must not be in the future");
  const flight = await stateAt(store, flightStream(id), at);
  if (flight.status === "unscheduled")
    throw new OperatorError(404, asOf === undefined ? NONE : `${NONE} at that moment`);
  const { plan, occupants } = flight.occupancy;
  const rows: ManifestRow[] = [];
  for (const [bookingId, occupant] of occupants) {
    await setImmediate();
    const booking = await stateAt(store, bookingStream(bookingId), at);
    rows.push(...travellers(bookingId, booking, occupant, (seat) => sequenceOf(plan, seat)));
  }
  const last = Number.MAX_SAFE_INTEGER;
  return Readable.from(rows.sort((one, other) => (one.sequence ?? last) - (other.sequence ?? last)));
}

async function stateAt<State, Event extends DomainEvent>(
  store: OperatorServices["store"],
  { stream, decider }: { readonly stream: string; readonly decider: Fold<State, Event> },
  at: Instant,
): Promise<State> {
  const events = await store.readStream(stream);
  return stateOf(decider, [events.filter((event) => event.at <= at)]);
}

function travellers(
  bookingId: string,
  booking: BookingState,
  { cabin }: Occupant,
  placeOf: (seat: string) => number,
): readonly ManifestRow[] {
  // Its flight has given it places, and it has not been made yet.
  if (!isExistingBooking(booking)) return [];
  const checks = passportChecks(booking);
  return booking.passengers.map(({ name }, index) => {
    const seat = booking.seats[index] ?? null;
    return {
      sequence: seat === null ? null : placeOf(seat),
      seat,
      name,
      cabin,
      passport: checks[index]?.check ?? "missing",
      status: booking.status,
      code: bookingCodeOf(bookingId),
      bookingId,
    };
  });
}
