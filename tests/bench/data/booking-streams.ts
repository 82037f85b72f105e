import type { BookingEvent } from "@travel-booking/domain";
import { type EventToAppend, NO_STREAM } from "@travel-booking/engines/event-store";
import { hexOf, uuidOf } from "./ids.ts";

/** One append: what one command of a journey leaves in its booking's stream. */
export interface Append {
  readonly stream: string;
  readonly expectedRevision: number;
  readonly events: readonly EventToAppend[];
}

const FIRST_BOOKING_AT = Date.UTC(2026, 10, 1);
const DEPARTS_AT = Date.UTC(2028, 2, 1, 9);
const ACCOUNTS = 100;
const FLIGHTS = 500;
const FARE = 129_900;

function created(number: number, bookingId: string, at: number): BookingEvent {
  const passengers = Array.from({ length: 1 + (number % 3) }, (_, index) => ({
    name: `Passenger ${number}-${index}`,
    email: `passenger-${number}-${index}@example.com`,
  }));
  return {
    type: "BookingCreated",
    at,
    data: {
      bookingId,
      accountId: `acc_${hexOf(number % ACCOUNTS)}`,
      flightId: `flight-${number % FLIGHTS}`,
      cabin: "economy",
      departsAt: DEPARTS_AT,
      passengers,
      seats: [],
      fareAmount: FARE,
      surcharges: [],
      creditApplied: 0,
      totalAmount: FARE * passengers.length,
      currency: "USD",
      reference: number % 2 === 0 ? `REF-${number}` : null,
      expiresAt: at + 86_400_000,
    },
  };
}

/** The commands of one journey, with what each leaves: nearly all pay, some change their reference, some cancel. */
function bookingLifecycle(number: number): readonly (readonly BookingEvent[])[] {
  const bookingId = `bkg_${hexOf(number)}`;
  const paymentId = `pay_${hexOf(number)}${"0".repeat(12)}`;
  const amount = FARE * (1 + (number % 3));
  const at = FIRST_BOOKING_AT + number * 100;
  const card = { brand: "visa", last4: "4242", expMonth: 12, expYear: 2030 };
  const steps: BookingEvent[][] = [
    [created(number, bookingId, at)],
    [
      {
        type: "PaymentStarted",
        at: at + 1_000,
        data: { paymentId, amount, currency: "USD", method: { type: "card", card, saveCard: false }, metadata: [] },
      },
    ],
    [
      { type: "PaymentSucceeded", at: at + 1_200, data: { paymentId } },
      { type: "BookingConfirmed", at: at + 1_200, data: { bookingId } },
    ],
  ];
  if (number % 4 === 0) {
    steps.push([{ type: "BookingChanged", at: at + 5_000, data: { changeId: null, reference: `NEW-${number}` } }]);
  }
  if (number % 10 === 0) {
    const refundId = `rfd_${hexOf(number)}${"0".repeat(12)}`;
    steps.push([
      { type: "BookingCancelled", at: at + 9_000, data: { bookingId, cause: "requested", reason: null } },
      {
        type: "RefundStarted",
        at: at + 9_000,
        data: { refundId, paymentId, amount, currency: "USD", reason: "booking_cancelled", settlesAt: null },
      },
    ]);
    steps.push([{ type: "RefundSucceeded", at: at + 9_500, data: { refundId, paymentId } }]);
  }
  return steps;
}

const LONGEST_LIFECYCLE = 6;
const EVENTS_OF_ONE = 8;

function toAppend(number: number, step: number): Append | undefined {
  const steps = bookingLifecycle(number);
  const events = steps[step];
  if (events === undefined) return undefined;
  const before = steps.slice(0, step).flat().length;
  const commandId = uuidOf(number * EVENTS_OF_ONE + step);
  const metadata = {
    accountId: `acc_${hexOf(number % ACCOUNTS)}`,
    actor: { kind: "credential" as const, id: `crd_${hexOf(number % ACCOUNTS)}` },
    requestId: commandId,
    commandId,
    causationId: null,
  };
  return {
    stream: `booking-bkg_${hexOf(number)}`,
    expectedRevision: before === 0 ? NO_STREAM : before - 1,
    events: events.map(({ type, at, data }, index) => {
      return { id: uuidOf(number * EVENTS_OF_ONE + before + index), type, version: 1, at, data, metadata };
    }),
  };
}

/**
 * Realistic bookings, in groups that may be appended at once: so many journeys go on side by side, each a step
 * further in each group. Ends with the group that reaches `events`.
 */
export function* bookingStreams(events: number, sideBySide = 500): Generator<readonly Append[]> {
  let stored = 0;
  for (let first = 1; ; first += sideBySide) {
    for (let step = 0; step < LONGEST_LIFECYCLE; step += 1) {
      const group = Array.from({ length: sideBySide }, (_, index) => toAppend(first + index, step)).filter(
        (append) => append !== undefined,
      );
      yield group;
      stored += group.reduce((sum, append) => sum + append.events.length, 0);
      if (stored >= events) return;
    }
  }
}
