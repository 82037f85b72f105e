import type { BookingBody } from "@travel-booking/api-contract";
import { caseIdOf, needsBooking } from "@travel-booking/domain";
import type { Call } from "../run/service-process.ts";
import { SEATS, type SoldCabin } from "../scenario.ts";
import { type KnownResources, pick } from "./known-resources.ts";
import type { Step } from "./steps.ts";

export type CallWithoutKey = Omit<Call, "key">;

const FOREIGN_EVERY = 7;

/** The request a step stands for; undefined where there is nothing yet to ask it of. */
export function toCall(step: Step, known: KnownResources): CallWithoutKey | undefined {
  switch (step.kind) {
    case "hold":
      return call("createSeatHold", step, { id: step.flightId }, { seats: step.seats });
    case "release": {
      const hold = pickOwn(known.holds, step);
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
    case "answer": {
      const booking = pickOwn(known.bookings, step);
      const { as, revision, flightId } = step;
      const body = { revision, ...(as === "rebook" && { flightId }) };
      return booking && call(`${as}Disruption`, step, { id: caseIdOf(booking.body.id, 1) }, body);
    }
    case "charge":
      return onBooking("createPayment", step, known, {
        token: step.token,
        ...(step.as === "card" ? { type: "card", saveCard: false } : { type: "wallet", walletType: "paypal" }),
      });
    case "start transfer":
      return onBooking("createPayment", step, known, { type: "bank_transfer" });
    case "refund": {
      const payment = pickOwn(known.payments, step);
      const amount = step.amount === null ? {} : { amount: step.amount };
      return (
        payment && call("createRefund", step, { id: payment.body.id }, { reason: "requested_by_customer", ...amount })
      );
    }
    case "redeem": {
      const { reward } = step;
      const booking = step.forBooking || needsBooking(reward) ? pickOwn(known.bookings, step) : undefined;
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
): CallWithoutKey {
  return { operation, accountId: account, params, body };
}

/** Something of the account's own; now and then somebody else's. */
function pickOwn<Thing extends { readonly accountId: string }>(
  things: readonly Thing[],
  { account, which }: { readonly account: string; readonly which: number },
): Thing | undefined {
  const reachable =
    which % FOREIGN_EVERY === FOREIGN_EVERY - 1 ? things : things.filter((thing) => thing.accountId === account);
  return pick(reachable, which);
}

function onBooking(
  operation: string,
  step: { readonly account: string; readonly which: number },
  known: KnownResources,
  body: unknown,
): CallWithoutKey | undefined {
  const booking = pickOwn(known.bookings, step);
  return booking && call(operation, step, { id: booking.body.id }, body);
}

function book(step: Extract<Step, { kind: "book" }>, known: KnownResources): CallWithoutKey {
  const { flightId, cabin, passengers, seats } = step;
  const hold = step.with === "hold" ? pickOwn(known.holds, step) : undefined;
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

function changeSeats(step: Extract<Step, { kind: "change seats" }>, known: KnownResources): CallWithoutKey | undefined {
  const hold = step.withHold ? pickOwn(known.holds, step) : undefined;
  const booking = pickOwn(known.bookings, step);
  if (booking === undefined) return undefined;
  const seats = step.which % FOREIGN_EVERY === 0 ? step.seats : seatsInCabin(booking.body, step.which);
  const body = {
    ...(hold === undefined ? { seats } : { holdId: hold.body.id }),
    ...(step.alsoReference && { reference: "C" }),
  };
  return call("changeBooking", step, { id: booking.body.id }, body);
}

/** Seats of the booking's cabin, as many as travel. */
function seatsInCabin({ cabin, passengers }: BookingBody, from: number): readonly string[] {
  const seats = Object.keys(SEATS[cabin as SoldCabin].surcharges);
  return passengers.map((_, index) => seats[(from + index) % seats.length]!);
}
