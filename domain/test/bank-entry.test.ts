import { describe, expect, test } from "@jest/globals";
import { type BankEntry, bankEntryDecider, entryIdOf, type TransferMatch } from "../src/index.ts";
import { specification } from "./shared/specification.ts";

const given = specification(bankEntryDecider);

const entry: BankEntry = { entryId: "e1", amount: 500, currency: "EUR" };
const match: TransferMatch = {
  accountId: "A",
  bookingId: "B",
  paymentId: "P",
  reference: "RF18539007547034",
  currency: "USD",
};
const record = (match: TransferMatch | null, change: Partial<BankEntry> = {}) =>
  ({ type: "RecordBankEntry", entry: { ...entry, ...change }, match }) as const;
const markReturned = { type: "MarkEntryReturned", entryId: "e1" } as const;

const unmatched = { type: "BankEntryUnmatched", at: 1, data: entry } as const;
const matched = { type: "BankEntryMatched", at: 1, data: { ...match, ...entry, currency: "EUR" } } as const;
const returned = { type: "BankEntryReturned", at: 2, data: { entryId: "e1" } } as const;

describe("an entry of the bank account", () => {
  test("is matched to a transfer, or to none", () => {
    given([]).when(record(match), 1).then([matched]);
    given([]).when(record(null), 1).then([unmatched]);
    given([])
      .when(record(match, { currency: null }), 1)
      .then([{ ...matched, data: { ...matched.data, currency: "USD" } }]);
  });

  test("the same again changes nothing", () => {
    given([matched]).when(record(match), 2).then([]);
    given([matched])
      .when(record(match, { currency: null }), 2)
      .then([]);
    given([unmatched]).when(record(null), 2).then([]);
  });

  test("whose id is not told is taken once, until it was reversed", () => {
    const isNew = { ...record(match), isNew: true };
    given([]).when(isNew, 1).then([matched]);
    for (const before of [matched, unmatched, returned]) given([before]).when(isNew, 2).thenRejected("entry_known");
    const reversed = { type: "BankEntryReversed", at: 2, data: { entryId: "e1" } } as const;
    given([matched, reversed])
      .when(isNew, 3)
      .then([{ ...matched, at: 3, data: { ...matched.data, reversals: 1 } }]);
    expect(entryIdOf(match, 905, "USD")).toBe(`${match.reference}-905-USD`);
  });

  test("that matched nothing is matched later", () => {
    given([unmatched])
      .when(record(match), 2)
      .then([{ ...matched, at: 2 }]);
    given([unmatched])
      .when(record(match, { currency: null }), 2)
      .then([{ ...matched, at: 2 }]);
    given([{ ...unmatched, data: { ...entry, currency: null } }])
      .when(record(match), 2)
      .then([{ ...matched, at: 2 }]);
  });

  test("keeps the currency that is told while it still matches nothing, once", () => {
    const untold = { ...unmatched, data: { ...entry, currency: null } };
    given([untold])
      .when(record(null), 2)
      .then([{ ...unmatched, at: 2 }]);
    const told = [untold, { ...unmatched, at: 2 }];
    given(told)
      .when(record(null, { currency: null }), 3)
      .then([]);
    given(told)
      .when(record(null, { currency: "USD" }), 3)
      .thenRejected("entry_differs");
    given(told)
      .when(record(match, { currency: null }), 3)
      .then([{ ...matched, at: 3 }]);
  });

  test.each<Partial<BankEntry>>([{ amount: 501 }, { currency: "USD" }])("is not taken again with %j", (change) => {
    for (const before of [matched, unmatched]) {
      given([before]).when(record(match, change), 2).thenRejected("entry_differs");
      given([before]).when(record(null, change), 2).thenRejected("entry_differs");
    }
  });

  test("is not taken again with another reference", () => {
    given([matched])
      .when(record({ ...match, reference: "RF712348231" }), 2)
      .thenRejected("entry_differs");
    given([matched]).when(record(null), 2).thenRejected("entry_differs");
  });

  test("goes back once, and only where it matched nothing", () => {
    given([unmatched]).when(markReturned, 2).then([returned]);
    given([unmatched, returned]).when(markReturned, 3).then([]);
    given([matched]).when(markReturned, 2).thenRejected("entry_matched");
    given([]).when(markReturned, 2).thenRejected("entry_not_found");
  });

  test("that was a mistake is reversed, and may be recorded anew, as other money", () => {
    const reversed = { type: "BankEntryReversed", at: 2, data: { entryId: "e1" } } as const;
    const reverse = { type: "ReverseEntry", entryId: "e1", letGo: null } as const;
    given([unmatched]).when(reverse, 2).then([reversed]);
    given([unmatched, reversed]).when(reverse, 3).then([]);
    given([]).when(reverse, 2).thenRejected("entry_not_found");
    given([unmatched, returned]).when(reverse, 3).thenRejected("entry_returned");
    given([unmatched, reversed]).when(markReturned, 3).thenRejected("entry_not_found");
    given([unmatched, reversed])
      .when(record(match, { amount: 501 }), 3)
      .then([{ ...matched, at: 3, data: { ...matched.data, amount: 501, reversals: 1 } }]);
  });

  test("that a booking counts is freed once that has let go of it, and only by that", () => {
    const reversed = { type: "BankEntryReversed", at: 2, data: { entryId: "e1" } } as const;
    const free = (bookingId: string, reversals: number) =>
      ({ type: "ReverseEntry", entryId: "e1", letGo: { bookingId, reversals } }) as const;
    given([matched]).when({ type: "ReverseEntry", entryId: "e1", letGo: null }, 2).thenRejected("entry_matched");
    given([matched]).when(free("another", 1), 2).thenRejected("entry_matched");
    given([matched]).when(free("B", 1), 2).then([reversed]);
    const anew = { ...matched, at: 3, data: { ...matched.data, reversals: 1 } } as const;
    given([matched, reversed, anew]).when(free("B", 1), 4).then([]);
    given([matched, reversed, anew])
      .when(free("B", 2), 4)
      .then([{ ...reversed, at: 4 }]);
    // Of a former release, which gave it no stream.
    given([]).when(free("B", 1), 2).then([reversed]);
  });

  test("that went back is not taken any more", () => {
    given([unmatched, returned]).when(record(match), 3).thenRejected("entry_returned");
    given([unmatched, returned]).when(record(null), 3).thenRejected("entry_returned");
  });
});
