import type { BookingDisrupted, BookingEvent, CaseRevised } from "./events.ts";
import { evolveBooking } from "./evolve.ts";
import { automaticRefundId, refundIdOf } from "./ids.ts";
import { sumOf } from "./rules.ts";
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
  const told = history.filter(tells);
  const caseId = told.findLast(({ data }) => data.disruptionId === disruptionId)?.data.caseId;
  let isResolved = false;
  const since = new Set<string>();
  for (const event of history) {
    if (event.type === "CaseResolved" && event.data.caseId === caseId) {
      kept = netAmountPaid(booking) + caseOf(booking, caseId).refundAmount;
      isResolved = true;
    }
    if (isResolved && event.type === "RefundStarted") since.add(event.data.refundId);
    if (isResolved && event.type === "ReturnDue") since.add(event.data.returnId);
    booking = evolveBooking(booking, event);
  }
  const found = casesOf(booking).find((one) => one.caseId === caseId);
  // All of a case stands in the totals of the disruption that it is about now.
  const back = found?.disruptionId === disruptionId ? moneyOf(booking, found, told, since) : [];
  const arrived = back.filter(({ hasArrived }) => hasArrived);
  return { booking, case: found, kept, due: total(back), paid: total(arrived), left: netAmountPaid(booking) };
}

interface Result {
  readonly status: string;
  readonly outcome: string | null;
  readonly refundAmount: number;
}

/** What has become of a case by one disruption. Where another has taken the case over, all that follows is because of that. */
export function resultBy(disruptionId: string, one: Result & Pick<DisruptionCase, "disruptionId">): Result {
  const { status, outcome, refundAmount } = one;
  return one.disruptionId === disruptionId
    ? { status, outcome, refundAmount }
    : { status: "superseded", outcome: null, refundAmount: 0 };
}

function tells(event: BookingEvent): event is BookingDisrupted | CaseRevised {
  return event.type === "BookingDisrupted" || event.type === "CaseRevised";
}

interface MoneyBack {
  readonly amount: number;
  readonly hasArrived: boolean;
}

function moneyOf(
  booking: BookingState,
  found: DisruptionCase,
  told: readonly (BookingDisrupted | CaseRevised)[],
  since: ReadonlySet<string>,
): readonly MoneyBack[] {
  const { caseId } = found;
  const disruptions = told.filter(({ data }) => data.caseId === caseId).map(({ data }) => data.disruptionId);
  const refunded = found.outcome === "refunded" ? moneyBack(booking, since) : [];
  const moves = (isExistingBooking(booking) && booking.moves) || [];
  const ofCase = moves.filter((move) => move.caseId === caseId).map(({ moveId }) => moveId);
  return [...refunded, ...moneyOfLosses(booking, [...disruptions, caseId, ...ofCase])];
}

/**
 * Only the cancellation of a booking makes returns with the cause `cancelled`, and refunds by itself; a duplicate charge
 * goes back whatever the flight does.
 * @param since the refunds and returns that began once the case was resolved.
 */
function moneyBack(booking: BookingState, since: ReadonlySet<string>): readonly MoneyBack[] {
  const refunds = refundsOf(booking).filter(
    ({ refundId, paymentId, reason }) =>
      since.has(refundId) && refundId === automaticRefundId(paymentId) && reason !== "duplicate",
  );
  const returns = isExistingBooking(booking)
    ? booking.returns.filter(({ returnId, cause }) => since.has(returnId) && cause === "cancelled")
    : [];
  return [...refunds.map(moneyIn), ...returns.map(({ amount, status }) => ({ amount, hasArrived: status === "sent" }))];
}

/** What was paid for seats, or features of them, that are lost, and for a better cabin than the one that is accepted. */
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
