import type { BookingBody } from "@travel-booking/api-contract";
import { needsBooking } from "@travel-booking/domain";
import type { Call } from "../run/service-process.ts";
import { SEATS, type SoldCabin } from "../scenario.ts";
import { type Known, pick } from "./known.ts";
import type { Step } from "./steps.ts";

export type WithoutKey = Omit<Call, "key">;

const OTHERS = 7;

/** The request a step stands for; undefined where there is nothing yet to ask it of. */
export function toCall(step: Step, known: Known): WithoutKey | undefined {
  switch (step.kind) {
    case "hold":
      return call("createSeatHold", step, { id: step.flightId }, { seats: step.seats });
    case "release": {
      const hold = own(known.holds, step);
      return hold && call("releaseSeatHold", step, { id: hold.body.flightId, holdId: hold.body.id }, {});
    }
    case "book":
      return book(step, known);
    case "change seats":
      return changeSeats(step, known);
    case "change reference":
      return onBooking("changeBooking", step, known, { reference: step.reference });
    case "cancel":
      return onBooking("cancelBooking", step, known, {});
    case "charge":
      return onBooking("createPayment", step, known, {
        token: step.token,
        ...(step.as === "card" ? { type: "card", saveCard: false } : { type: "wallet", walletType: "paypal" }),
      });
    case "start transfer":
      return onBooking("createPayment", step, known, { type: "bank_transfer" });
    case "refund": {
      const payment = own(known.payments, step);
      const amount = step.amount === null ? {} : { amount: step.amount };
      return (
        payment && call("createRefund", step, { id: payment.body.id }, { reason: "requested_by_customer", ...amount })
      );
    }
    case "redeem": {
      const { reward } = step;
      const booking = step.forBooking || needsBooking(reward) ? own(known.bookings, step) : undefined;
      const body = { reward, ...(booking !== undefined && { bookingId: booking.body.id }) };
      return booking === undefined && needsBooking(reward) ? undefined : call("createRedemption", step, {}, body);
    }
    default:
      return undefined;
  }
}

function call(
  operation: string,
  { account }: { readonly account: string },
  params: Call["params"],
  body: unknown,
): WithoutKey {
  return { operation, accountId: account, params, body };
}

/** Something of the account's own; now and then somebody else's. */
function own<Thing extends { readonly accountId: string }>(
  things: readonly Thing[],
  { account, which }: { readonly account: string; readonly which: number },
): Thing | undefined {
  const reachable = which % OTHERS === OTHERS - 1 ? things : things.filter((thing) => thing.accountId === account);
  return pick(reachable, which);
}

function onBooking(
  operation: string,
  step: { readonly account: string; readonly which: number },
  known: Known,
  body: unknown,
): WithoutKey | undefined {
  const booking = own(known.bookings, step);
  return booking && call(operation, step, { id: booking.body.id }, body);
}

function book(step: Extract<Step, { kind: "book" }>, known: Known): WithoutKey {
  const { flightId, cabin, passengers, seats } = step;
  const hold = step.with === "hold" ? own(known.holds, step) : undefined;
  const count = hold?.body.seats.length ?? (step.with === "seats" ? seats.length : passengers);
  const party = Array.from({ length: count }, (_, index) => ({ name: `Passenger ${index}`, email: "p@example.com" }));
  return call(
    "createBooking",
    step,
    {},
    {
      flightId: hold?.body.flightId ?? flightId,
      cabin: hold?.body.cabin ?? cabin,
      passengers: party,
      ...(step.with === "seats" && { seats }),
      ...(hold !== undefined && { holdId: hold.body.id }),
    },
  );
}

function changeSeats(step: Extract<Step, { kind: "change seats" }>, known: Known): WithoutKey | undefined {
  const hold = step.withHold ? own(known.holds, step) : undefined;
  const booking = own(known.bookings, step);
  if (booking === undefined) return undefined;
  const seats = step.which % OTHERS === 0 ? step.seats : fitting(booking.body, step.which);
  const body = {
    ...(hold === undefined ? { seats } : { holdId: hold.body.id }),
    ...(step.alsoReference && { reference: "C" }),
  };
  return call("changeBooking", step, { id: booking.body.id }, body);
}

/** Seats of the booking's cabin, as many as travel. */
function fitting({ cabin, passengers }: BookingBody, from: number): readonly string[] {
  const seats = Object.keys(SEATS[cabin as SoldCabin].surcharges);
  return passengers.map((_, index) => seats[(from + index) % seats.length]!);
}
