import type { BookingDisrupted, BookingEvent, CaseRevised } from "./events.ts";
import { evolveBooking } from "./evolve.ts";
import { automaticRefundId, refundIdOf } from "./ids.ts";
import { refundsOfMoves, sumOf } from "./rules.ts";
import {
  type BookingState,
  caseOf,
  casesOf,
  type DisruptionCase,
  isExistingBooking,
  netAmountPaid,
  type Refund,
  refundsOf,
} from "./state.ts";

/** What became of a booking by one disruption of its flight, added up from its money and not from its case. Cents. */
export interface Settlement {
  readonly booking: BookingState;
  /** Undefined: it has not followed, or was over by then. */
  readonly case: DisruptionCase | undefined;
  /** Paid and not refunded when the case was resolved, with what had gone back because of it before; 0 while it is open. */
  readonly kept: number;
  /** What goes back because of it, money that came late and returns of transfers included. */
  readonly due: number;
  /** What of `due` has arrived. */
  readonly paid: number;
  /** Paid and not refunded now. */
  readonly left: number;
}

/** Follows the whole history of a booking. */
export function settlementOf(history: readonly BookingEvent[], disruptionId: string): Settlement {
  let booking: BookingState = { status: "none" };
  let kept = 0;
  let caseId: string | undefined;
  for (const event of history) {
    if (tells(event) && event.data.disruptionId === disruptionId) ({ caseId } = event.data);
    if (event.type === "CaseResolved" && event.data.caseId === caseId)
      kept = netAmountPaid(booking) + caseOf(booking, caseId).refundAmount;
    booking = evolveBooking(booking, event);
  }
  const found = casesOf(booking).find((one) => one.caseId === caseId);
  // What a later disruption gives back is no affair of one that has left the booking as it was.
  const refunded = found?.outcome === "refunded" ? moneyBack(booking) : [];
  const back = [...refunded, ...moneyOfMoves(booking, found), ...moneyOfLosses(booking, [disruptionId, caseId ?? ""])];
  const arrived = back.filter(({ hasArrived }) => hasArrived);
  return { booking, case: found, kept, due: total(back), paid: total(arrived), left: netAmountPaid(booking) };
}

function tells(event: BookingEvent): event is BookingDisrupted | CaseRevised {
  return event.type === "BookingDisrupted" || event.type === "CaseRevised";
}

interface MoneyBack {
  readonly amount: number;
  readonly hasArrived: boolean;
}

/**
 * Only the cancellation of a booking makes returns with the cause `cancelled`, and refunds by itself; a duplicate charge
 * goes back whatever the flight does.
 */
function moneyBack(booking: BookingState): readonly MoneyBack[] {
  const refunds = refundsOf(booking).filter(
    ({ refundId, paymentId, reason }) => refundId === automaticRefundId(paymentId) && reason !== "duplicate",
  );
  const returns = isExistingBooking(booking) ? booking.returns.filter(({ cause }) => cause === "cancelled") : [];
  return [...refunds.map(moneyIn), ...returns.map(({ amount, status }) => ({ amount, hasArrived: status === "sent" }))];
}

function moneyOfMoves(booking: BookingState, found: DisruptionCase | undefined): readonly MoneyBack[] {
  if (found === undefined || !isExistingBooking(booking)) return [];
  return refundsOfMoves(booking, found.caseId).map(moneyIn);
}

/** What was paid for features that another ship lacks, and for a better cabin than the one that is accepted. */
function moneyOfLosses(booking: BookingState, digits: readonly string[]): readonly MoneyBack[] {
  return refundsOf(booking)
    .filter(({ refundId, paymentId }) => digits.some((own) => refundId === refundIdOf(paymentId, own)))
    .map(moneyIn);
}

function moneyIn({ amount, status }: Refund): MoneyBack {
  return { amount, hasArrived: status === "succeeded" };
}

const total = (parts: readonly MoneyBack[]) => sumOf(parts.map(({ amount }) => amount));

/** What does not add up, in words; empty: all of it does. */
export function contradictionsOf({ case: one, kept, left }: Settlement): readonly string[] {
  if (one?.outcome !== "refunded") return [];
  return [
    ...(one.refundAmount === kept ? [] : [`it was told of ${one.refundAmount} cents, and had paid ${kept}`]),
    ...(left === 0 ? [] : [`${left} cents have not gone back`]),
  ];
}
