import { expect } from "@jest/globals";
import {
  amountRefunded,
  type BookingEvent,
  bookingDecider,
  type ExistingBooking,
  fold,
  HOUR,
  isExistingBooking,
  isPastExpiry,
  pendingCharges,
  pendingTransfers,
  refundableAmount,
} from "../../../src/index.ts";
import type { BookingModel } from "./booking-model.ts";

/** What holds after every step, whatever happened. */
export function checkInvariants(world: BookingModel): void {
  checkLog(world.log);
  checkOrder(world.lastStep);
  if (!isExistingBooking(world.state)) {
    expect(world.bank.size).toBe(0);
    return;
  }
  checkBankMoney(world, world.state);
  checkPayments(world.state);
  checkStatus(world, world.state);
  checkPoints(world, world.state);
}

/** Each cent the bank received is part of a payment or owed back, exactly once. */
function checkBankMoney({ bank, log }: BookingModel, booking: ExistingBooking): void {
  const entries = booking.payments.flatMap((payment) => payment.entries.map((entry) => ({ payment, entry })));
  expect(entries.map(({ entry }) => entry.entryId).sort()).toStrictEqual([...bank.keys()].sort());
  for (const { payment, entry } of entries) {
    const { amount, currency } = bank.get(entry.entryId)!;
    const kept = payment.status === "failed" ? 0 : entry.applied;
    const owed = booking.returns.filter(({ entryId }) => entryId === entry.entryId);
    expect(owed.reduce((sum, each) => sum + each.amount, kept)).toBe(amount);
    expect(owed.every((each) => each.currency === currency && each.amount > 0)).toBe(true);
    if (currency !== payment.currency) expect(entry.applied).toBe(0);
  }
  const returnIds = booking.returns.map(({ returnId }) => returnId);
  expect(new Set(returnIds).size).toBe(returnIds.length);
  const sent = log.filter((event) => event.type === "ReturnSent").map(({ data }) => data.returnId);
  expect(new Set(sent).size).toBe(sent.length);
}

function checkPayments(booking: ExistingBooking): void {
  for (const payment of booking.payments) {
    expect(payment.failureCode === null).toBe(payment.status !== "failed");
    expect(amountRefunded(payment)).toBeLessThanOrEqual(payment.status === "succeeded" ? payment.amount : 0);
    expect(payment.refunds.every((refund) => refund.amount >= 1)).toBe(true);
    if (payment.method.type === "bank_transfer") {
      const applied = payment.entries.reduce((sum, entry) => sum + entry.applied, 0);
      if (payment.status === "succeeded") expect(applied).toBe(payment.amount);
      else expect(applied).toBeLessThan(payment.amount);
    }
    if (payment.status === "pending" && booking.status === "pending") expect(payment.amount).toBe(booking.totalAmount);
  }
  const refundIds = booking.payments.flatMap(({ refunds }) => refunds.map(({ refundId }) => refundId));
  expect(new Set(refundIds).size).toBe(refundIds.length);
  expect(booking.payments.filter((payment) => refundableAmount(payment) > 0).length).toBeLessThanOrEqual(1);
  expect(pendingCharges(booking).length).toBeLessThanOrEqual(1);
  expect(pendingTransfers(booking).length).toBeLessThanOrEqual(booking.status === "pending" ? 1 : 0);
}

function checkStatus(world: BookingModel, booking: ExistingBooking): void {
  const price =
    booking.fareAmount * booking.passengers.length + booking.surcharges.reduce((sum, each) => sum + each, 0);
  expect(booking.totalAmount).toBe(Math.max(0, price - booking.creditApplied));
  const paid = booking.payments.some((payment) => payment.status === "succeeded");
  switch (booking.status) {
    case "pending":
      // A charge that was given up and took money all the same went back.
      expect(booking.payments.some((payment) => refundableAmount(payment) > 0) || booking.totalAmount === 0).toBe(
        false,
      );
      break;
    case "confirmed":
      expect(paid || booking.totalAmount === 0).toBe(true);
      break;
    case "cancelled": {
      // Kept money is only that of a confirmed booking its client cancelled late.
      const late = booking.departsAt - booking.cancelledAt < 24 * HOUR;
      const kept = booking.payments.filter((payment) => refundableAmount(payment) > 0);
      if (kept.length > 0) expect({ cause: booking.cause, late }).toStrictEqual({ cause: "requested", late: true });
      break;
    }
  }
  if (world.lastStep.length > 0 && isPastExpiry(booking, world.now)) expect(pendingCharges(booking).length).toBe(1);
}

/** Until it has flown what is pending is what was paid and not given back; from then on it stands still. */
function checkPoints({ log }: BookingModel, booking: ExistingBooking): void {
  const kept = booking.payments.reduce((sum, payment) => sum + refundableAmount(payment), 0);
  const { points, per } = booking.pointsRate;
  if (!booking.flown) expect(booking.pendingPoints).toBe(points * Math.floor(kept / per));
  let isFlown = false;
  for (const { type, data } of log) {
    if (type === "RefundStarted") expect(data.departed === true).toBe(isFlown);
    if (type === "TransferReversed" && data.departed === true) expect(isFlown).toBe(true);
    if (type === "BookingFlown") isFlown = true;
    else if ("pending" in data && data.pending !== undefined) expect(isFlown).toBe(false);
  }
}

/** What is kept in memory is what the log says, and it survives being written down. */
export function checkState({ state, log }: BookingModel): void {
  expect(state).toStrictEqual(fold(bookingDecider, log));
  expect(JSON.parse(JSON.stringify(state))).toStrictEqual(state);
}

function checkLog(log: readonly BookingEvent[]): void {
  const types = log.map(({ type }) => type);
  const once = ["BookingCreated", "BookingAbandoned", "BookingConfirmed", "BookingCancelled"] as const;
  for (const type of once) expect(types.filter((each) => each === type).length).toBeLessThanOrEqual(1);
  const cancelled = types.indexOf("BookingCancelled");
  if (cancelled >= 0) expect(types.indexOf("BookingConfirmed", cancelled)).toBe(-1);
  if (log.length > 0) expect(["BookingCreated", "BookingAbandoned"]).toContain(types[0]);
  expect(log.every(({ at }, index) => at >= (log[index - 1]?.at ?? 0))).toBe(true);
}

/** The order inside one decision that the public events rest on (docs/rules.md#order-of-events). */
function checkOrder(events: readonly BookingEvent[]): void {
  const types = events.map(({ type }) => type);
  const confirmed = types.indexOf("BookingConfirmed");
  const cancelled = types.indexOf("BookingCancelled");
  // A reader of the log can't know where a command ends: what it changes besides the status is in one event.
  expect(types.filter((type) => type === "BookingChanged").length).toBeLessThanOrEqual(1);
  if (confirmed >= 0) expect(["PaymentSucceeded", "BookingCreated", "BookingChanged"]).toContain(types[confirmed - 1]);
  events.forEach((event, index) => {
    if (event.type === "PaymentFailed" && event.data.failureCode === "superseded") {
      expect(confirmed >= 0 && confirmed < index).toBe(true);
    } else if (event.type === "PaymentFailed" && cancelled >= 0) {
      expect(index).toBeLessThan(cancelled);
    } else if (event.type === "ReturnDue") {
      expect(["TransferReceived", "PaymentFailed", "ReturnDue"]).toContain(types[index - 1]);
    }
  });
}
