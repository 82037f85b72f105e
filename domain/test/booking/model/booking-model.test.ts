import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { BookingModel } from "./booking-model.ts";
import { checkInvariants, checkState } from "./invariants.ts";
import { type BookingTerms, bookingTerms, openingSteps, type Step, steps } from "./steps.ts";

function runSteps(agreed: BookingTerms, life: readonly Step[], check: (world: BookingModel) => void): BookingModel {
  const world = new BookingModel(agreed);
  for (const step of life) {
    world.take(step);
    check(world);
  }
  return world;
}

describe("any life of a booking", () => {
  test("keeps every cent and every rule, step by step", () => {
    fc.assert(
      fc.property(bookingTerms, openingSteps, steps, (agreed, beginning, life) => {
        checkState(runSteps(agreed, [...beginning, ...life], checkInvariants));
      }),
      { numRuns: 500 },
    );
  });

  test("is explored where it matters: every event and every cause comes up", () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(bookingTerms, openingSteps, steps, (agreed, beginning, life) => {
        for (const { type, data } of runSteps(agreed, [...beginning, ...life], () => {}).log) {
          seen.add(type);
          if ("cause" in data) seen.add(`${type} ${data.cause}`);
          if ("failureCode" in data) seen.add(`${type} ${data.failureCode}`);
          if (type === "RefundStarted") seen.add(`${type} ${data.reason}`);
        }
      }),
      { numRuns: 500, seed: 20_270_103 },
    );
    expect([...seen].sort()).toStrictEqual([
      "BookingAbandoned",
      "BookingCancelled",
      "BookingCancelled expired",
      "BookingCancelled requested",
      "BookingCancelled transfer_expired",
      "BookingChanged",
      "BookingConfirmed",
      "BookingCreated",
      "PaymentFailed",
      "PaymentFailed bank_transfer_expired",
      "PaymentFailed booking_cancelled",
      "PaymentFailed card_declined",
      "PaymentFailed superseded",
      "PaymentStarted",
      "PaymentSucceeded",
      "RefundStarted",
      "RefundStarted booking_cancelled",
      "RefundStarted duplicate",
      "RefundStarted other",
      "RefundStarted requested_by_customer",
      "RefundSucceeded",
      "ReturnDue",
      "ReturnDue cancelled",
      "ReturnDue excess",
      "ReturnDue expired",
      "ReturnDue late",
      "ReturnDue superseded",
      "ReturnDue wrong_currency",
      "ReturnSent",
      "SeatChangeClosed",
      "TransferReceived",
      "TransferReversed",
    ]);
  });
});
