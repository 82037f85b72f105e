import { afterEach, describe, expect, test } from "@jest/globals";
import type { DomainEvent } from "@travel-booking/domain";
import { bookings } from "../../src/projections/bookings/bookings.ts";
import {
  ACCOUNT,
  BOOKING,
  created,
  OPERATOR,
  ofBooking,
  REFERENCE,
  received,
  returnDue,
  returnOf,
  T0,
  TRANSFER_PAYMENT,
  transferStarted,
} from "./kit/booking-history.ts";
import { closeAll, DELIVERIES, deliver, type GivenEvent } from "./kit/deliver.ts";

const entry = { entryId: "e1", amount: 500, currency: null };
const match = { accountId: ACCOUNT, bookingId: BOOKING, paymentId: TRANSFER_PAYMENT, reference: REFERENCE };
const ofEntry = (event: DomainEvent): GivenEvent => ["bankEntry-e1", event, OPERATOR];
const unmatched = ofEntry({ type: "BankEntryUnmatched", at: T0 + 2_000, data: entry });
const matched = ofEntry({ type: "BankEntryMatched", at: T0 + 3_000, data: { ...entry, ...match } });

const nobody = { reference: null, paymentId: null, bookingId: null, accountId: null };
const row = {
  id: "e1",
  ...nobody,
  amount: 500,
  currency: null,
  status: "unmatched",
  createdAt: "2027-01-03T10:00:02.000Z",
};
const owned = { reference: REFERENCE, paymentId: TRANSFER_PAYMENT, bookingId: BOOKING, accountId: ACCOUNT };
const counted = { id: "e1", ...owned, amount: 500, currency: "USD", createdAt: "2027-01-03T10:00:04.000Z" };

describe.each(DELIVERIES)("money that matches nothing, delivered %s", (delivery) => {
  afterEach(closeAll);

  async function rows(...events: readonly GivenEvent[]): Promise<readonly unknown[]> {
    const started = ofBooking([created(), transferStarted(T0 + 1_000)]);
    const made = await deliver(bookings, [...started, ...events], delivery);
    return made.list("bookings.transfer", "newest", "all");
  }

  test("stands there until it was sent back", async () => {
    expect(await rows(unmatched)).toStrictEqual([row]);
    const returned = ofEntry({ type: "BankEntryReturned", at: T0 + 3_000, data: { entryId: "e1" } });
    expect(await rows(unmatched, returned)).toStrictEqual([{ ...row, status: "returned" }]);
  });

  const reversed = ofEntry({ type: "BankEntryReversed", at: T0 + 5_000, data: { entryId: "e1" } });

  test("that was a mistake stands there as reversed, until it is recorded anew", async () => {
    expect(await rows(unmatched, reversed)).toStrictEqual([{ ...row, status: "reversed" }]);
    const anew = ofEntry({ type: "BankEntryUnmatched", at: T0 + 6_000, data: { ...entry, amount: 7 } });
    expect(await rows(unmatched, reversed, anew)).toStrictEqual([
      { ...row, amount: 7, createdAt: "2027-01-03T10:00:06.000Z" },
    ]);
  });

  test("that a booking has counted by mistake stands there as its own, whole", async () => {
    const data = { entryId: "e1", paymentId: TRANSFER_PAYMENT, reason: "mistyped", reversals: 1 };
    const taken = [
      matched,
      ...ofBooking([received(T0 + 4_000, "e1", 500, 0), returnDue(T0 + 4_000, "e1", 500, "excess")]),
      ...ofBooking([{ type: "TransferReversed", at: T0 + 5_000, data }]),
      reversed,
    ];
    const gone = { ...counted, status: "reversed", reason: "mistyped" };
    expect(await rows(...taken)).toStrictEqual([gone]);
    const again = ofBooking([received(T0 + 6_000, "e1", 200, 200)]);
    const createdAt = "2027-01-03T10:00:06.000Z";
    expect(await rows(...taken, matched, ...again)).toStrictEqual([
      { ...counted, amount: 200, status: "partial", createdAt },
    ]);
  });

  test("that another booking has counted since stays that one's when one of the first one's party is forgotten", async () => {
    const data = { entryId: "e1", paymentId: TRANSFER_PAYMENT, reason: "mistyped", reversals: 1 };
    const forgotten = { bookingId: BOOKING, passenger: 0, words: [] };
    const taken = ofBooking([received(T0 + 4_000, "e1", 500, 500), { type: "TransferReversed", at: T0 + 5_000, data }]);
    const anew = ofEntry({ type: "BankEntryUnmatched", at: T0 + 6_000, data: entry });
    const erased = ofBooking([{ type: "BookingPassengerErased", at: T0 + 7_000, data: forgotten }]);
    expect(await rows(matched, ...taken, reversed, anew, ...erased)).toStrictEqual([
      { ...row, createdAt: "2027-01-03T10:00:06.000Z" },
    ]);
  });

  test("keeps its place when its currency is told later", async () => {
    const told = ofEntry({ type: "BankEntryUnmatched", at: T0 + 3_000, data: { ...entry, currency: "EUR" } });
    expect(await rows(unmatched, told)).toStrictEqual([{ ...row, currency: "EUR" }]);
  });

  test("stands there until its booking has counted it", async () => {
    expect(await rows(unmatched, matched)).toStrictEqual([row]);
    const applied = ofBooking([received(T0 + 4_000, "e1", 500, 500)]);
    expect(await rows(unmatched, matched, ...applied)).toStrictEqual([{ ...counted, status: "partial" }]);
  });

  test("goes back from there where the booking can't use it", async () => {
    const returned = ofBooking([received(T0 + 4_000, "e1", 500, 0), returnDue(T0 + 4_000, "e1", 500, "excess")]);
    expect(await rows(unmatched, matched, ...returned)).toStrictEqual([
      { ...counted, id: returnOf("e1"), status: "to_return" },
    ]);
  });
});
