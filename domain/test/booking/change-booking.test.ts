import { describe, expect, test } from "@jest/globals";
import {
  type BookingEvent,
  type ChangeBooking,
  hasAppliedSeatChange,
  MAX_CHANGES_SIZE,
  MAX_SEAT_CHANGES,
  sizeOfChange,
} from "../../src/index.ts";
import {
  ACCOUNT,
  ADA,
  BOB,
  cancelled,
  confirmed,
  created,
  DEPARTS_AT,
  failed,
  given,
  paid,
  started,
  succeeded,
  T0,
  TOTAL,
  transferStarted,
} from "./fixtures.ts";

const EVE = { name: "Eve Online", email: "eve@example.com" };

function change(changes: Omit<ChangeBooking, "type" | "accountId">): ChangeBooking {
  return { type: "ChangeBooking", accountId: ACCOUNT, ...changes };
}

function changed(at: number, data: Partial<Extract<BookingEvent, { type: "BookingChanged" }>["data"]>): BookingEvent {
  return { type: "BookingChanged", at, data: { changeId: null, ...data } };
}

function seats(surcharges: readonly number[], chosen: readonly string[] = ["11A", "11B"], changeId = "chg_1") {
  return { flightId: "flt_1", changeId, seats: chosen, surcharges };
}

describe("changing reference and passengers", () => {
  test("only what really differs is recorded", () => {
    given([created({ reference: "old" })])
      .when(change({ reference: "new", passengers: [ADA, BOB] }), T0 + 1)
      .then([changed(T0 + 1, { reference: "new" })]);
    given([created()])
      .when(change({ reference: null, passengers: [ADA, EVE] }), T0 + 1)
      .then([changed(T0 + 1, { passengers: [ADA, EVE] })]);
  });

  test("null removes the reference", () => {
    given([created({ reference: "old" })])
      .when(change({ reference: null }), T0 + 1)
      .then([changed(T0 + 1, { reference: null })]);
  });

  test("the order of passengers is theirs", () => {
    given([created()])
      .when(change({ passengers: [BOB, ADA] }), T0 + 1)
      .then([changed(T0 + 1, { passengers: [BOB, ADA] })]);
  });

  test("nothing, or what is there already, emits nothing", () => {
    given([created()])
      .when(change({}), T0 + 1)
      .then([]);
    given([created({ reference: "r" })])
      .when(change({ reference: "r", passengers: [ADA, BOB], seats: seats([2_500, 4_000], ["10A", "10B"]) }), T0 + 1)
      .then([]);
  });

  test("the number of passengers stays", () => {
    given([created()])
      .when(change({ passengers: [ADA], reference: "x" }), T0 + 1)
      .thenRejected({ code: "passenger_count_mismatch", facts: { booked: 2, given: 1 } });
  });

  test("not on a cancelled booking, nor on another account's", () => {
    given([created(), cancelled(T0 + 1)])
      .when(change({ reference: "x" }), T0 + 2)
      .thenRejected("booking_cancelled");
    given([created()])
      .when({ ...change({ reference: "x" }), accountId: "acc_2" }, T0 + 2)
      .thenRejected("booking_not_found");
    given([])
      .when(change({ reference: "x" }), T0 + 2)
      .thenRejected("booking_not_found");
  });

  test("they are records, so they change after departure too", () => {
    given(paid())
      .when(change({ reference: "x", passengers: [EVE, BOB] }), DEPARTS_AT)
      .then([changed(DEPARTS_AT, { reference: "x", passengers: [EVE, BOB] })]);
  });
});

describe("changing metadata", () => {
  const MANY = Array.from({ length: 20 }, (_, index) => [`k${index}`, "v"] as const);
  const metadata = [
    ["order", "7"],
    ["agent", "A"],
  ] as const;
  const history = [created({ metadata })];

  test("is merged into what is there: an empty value removes its key", () => {
    const sent = [
      ["agent", ""],
      ["order", "8"],
      ["new", "n"],
    ] as const;
    const merged = [
      ["order", "8"],
      ["new", "n"],
    ] as const;
    given(history)
      .when(change({ metadata: sent }), T0 + 1)
      .then([changed(T0 + 1, { metadata: merged })]);
    given([...history, changed(T0 + 1, { metadata: merged })])
      .when(change({ metadata: [["order", "9"]], reference: "x" }), T0 + 2)
      .then([
        changed(T0 + 2, {
          reference: "x",
          metadata: [
            ["order", "9"],
            ["new", "n"],
          ],
        }),
      ]);
    given(history)
      .when(change({ metadata: metadata.map(([key]) => [key, ""]) }), T0 + 1)
      .then([changed(T0 + 1, { metadata: [] })]);
    given([created()])
      .when(change({ metadata }), T0 + 1)
      .then([changed(T0 + 1, { metadata })]);
  });

  test("what is there already, or was not, changes nothing", () => {
    for (const sent of [[], metadata, [["none", ""]]] as const)
      given(history)
        .when(change({ metadata: sent }), T0 + 1)
        .then([]);
  });

  test("leaves twenty keys at most", () => {
    given([created({ metadata: MANY })])
      .when(change({ metadata: [["one", "more"]] }), T0 + 1)
      .thenRejected("too_much_metadata");
  });
});

describe("changing seats while unpaid", () => {
  test("the price follows", () => {
    given([created()])
      .when(change({ seats: seats([0, 9_000]), reference: "x" }), T0 + 1)
      .then([
        changed(T0 + 1, {
          changeId: "chg_1",
          reference: "x",
          seats: ["11A", "11B"],
          surcharges: [0, 9_000],
          totalAmount: 209_000,
        }),
      ]);
  });

  test("a price that stays is not recorded", () => {
    given([created()])
      .when(change({ seats: seats([2_500, 4_000]) }), T0 + 1)
      .then([changed(T0 + 1, { changeId: "chg_1", seats: ["11A", "11B"] })]);
    given([created()])
      .when(change({ seats: seats([4_000, 2_500], ["10B", "10A"]) }), T0 + 1)
      .then([changed(T0 + 1, { changeId: "chg_1", seats: ["10B", "10A"], surcharges: [4_000, 2_500] })]);
  });

  test("credit still counts", () => {
    given([created({ creditApplied: 10_000, totalAmount: TOTAL - 10_000 })])
      .when(change({ seats: seats([0, 0]) }), T0 + 1)
      .then([changed(T0 + 1, { changeId: "chg_1", seats: ["11A", "11B"], surcharges: [0, 0], totalAmount: 190_000 })]);
  });

  test("a price that falls to nothing confirms", () => {
    given([created({ fareAmount: 0, totalAmount: 6_500 })])
      .when(change({ seats: seats([0, 0]) }), T0 + 1)
      .then([
        changed(T0 + 1, { changeId: "chg_1", seats: ["11A", "11B"], surcharges: [0, 0], totalAmount: 0 }),
        confirmed(T0 + 1),
      ]);
  });

  test.each([
    ["a charge", started(T0 + 1)],
    ["a bank transfer", transferStarted(T0 + 1)],
  ])("not to another price while %s is pending", (_, pending) => {
    given([created(), pending])
      .when(change({ seats: seats([0, 0]) }), T0 + 2)
      .thenRejected("payment_pending");
    given([created(), pending])
      .when(change({ seats: seats([6_500, 0]) }), T0 + 2)
      .then([changed(T0 + 2, { changeId: "chg_1", seats: ["11A", "11B"], surcharges: [6_500, 0] })]);
  });

  test("after a failed charge the price may follow again", () => {
    given([created(), started(T0 + 1), failed(T0 + 2, "card_declined")])
      .when(change({ seats: seats([0, 0]) }), T0 + 3)
      .then([changed(T0 + 3, { changeId: "chg_1", seats: ["11A", "11B"], surcharges: [0, 0], totalAmount: 200_000 })]);
  });

  test("one seat per passenger", () => {
    given([created()])
      .when(change({ seats: seats([0], ["11A"]) }), T0 + 1)
      .thenRejected({ code: "seat_count_mismatch", facts: { passengers: 2, seats: 1 } });
    given([created({ seats: [], surcharges: [] })])
      .when(change({ seats: seats([], []) }), T0 + 1)
      .thenRejected({ code: "seat_count_mismatch", facts: { passengers: 2, seats: 0 } });
  });
});

test("seats are changed a thousand times, and kept after that", () => {
  const all = Array.from({ length: MAX_SEAT_CHANGES }, (_, index) =>
    changed(T0 + 1, { changeId: `chg_${index}`, seats: index % 2 === 0 ? ["11A", "11B"] : ["12A", "12B"] }),
  );
  given([...paid(), ...all])
    .when(change({ seats: seats([0, 0], ["11A", "11B"], "chg_more") }), T0 + 2)
    .thenRejected({ code: "too_many_seat_changes", facts: { most: MAX_SEAT_CHANGES } });
  given([...paid(), ...all.slice(1)])
    .when(change({ seats: seats([0, 0], ["11A", "11B"], "chg_more") }), T0 + 2)
    .then([changed(T0 + 2, { changeId: "chg_more", seats: ["11A", "11B"] })]);
  // A change to the seats that it has is one, too: it is closed, and its id is kept.
  given([...paid(), ...all])
    .when(change({ seats: seats([0, 0], ["12A", "12B"], "chg_more") }), T0 + 2)
    .thenRejected("too_many_seat_changes");
  given([...paid(), ...all])
    .when(change({ reference: "x" }), T0 + 2)
    .then([changed(T0 + 2, { changeId: null, reference: "x" })]);
});

test("changes have room together: beyond it a booking stays as it is, but for what ends it", () => {
  const passengers = Array.from({ length: 2 }, () => ({
    name: "n".repeat(200),
    email: `${"e".repeat(240)}@example.com`,
  }));
  const renamed = changed(T0 + 1, { changeId: null, passengers });
  const count = Math.ceil(MAX_CHANGES_SIZE / sizeOfChange(renamed));
  const all = Array.from({ length: count }, () => renamed);
  const at = T0 + 2;
  given([...paid(), ...all.slice(1)])
    .when(change({ reference: "x" }), at)
    .then([changed(at, { changeId: null, reference: "x" })]);
  const full = [...paid(), ...all];
  given(full)
    .when(change({ reference: "x" }), at)
    .thenRejected({ code: "too_many_changes", facts: { most: MAX_CHANGES_SIZE } });
  given(full)
    .when(change({ seats: seats([0, 0]) }), at)
    .thenRejected("too_many_changes");
  given(full).when(change({ passengers }), at).then([]);
  given(full)
    .when({ type: "CloseSeatChange", changeId: "chg_1" }, at)
    .then([{ type: "SeatChangeClosed", at, data: { changeId: "chg_1" } }]);
  given([created({ seats: [], surcharges: [] }), ...paid().slice(1), ...all])
    .when(
      { type: "AssignSeatsToBooking", flightId: "flt_1", changeId: "chg_1", cabin: "economy", seats: ["11A", "11B"] },
      at,
    )
    .then([changed(at, { changeId: "chg_1", seats: ["11A", "11B"] })]);
  given([created(), ...all])
    .when({ type: "CancelBooking", accountId: ACCOUNT, reason: null }, at)
    .then([cancelled(at)]);
});

describe("changing seats once confirmed", () => {
  const at = T0 + 10;
  const moved = changed(at, { changeId: "chg_1", seats: ["11A", "11B"] });

  test("to seats of the same or a lower price: nothing back, and the total stays", () => {
    given(paid())
      .when(change({ seats: seats([6_500, 0]) }), at)
      .then([moved]);
    given(paid())
      .when(change({ seats: seats([0, 0]) }), at)
      .then([moved]);
    expect(given([...paid(), moved]).state()).toMatchObject({ surcharges: [2_500, 4_000], totalAmount: TOTAL });
  });

  test("not to dearer ones: the sums are compared, with what was charged", () => {
    given(paid())
      .when(change({ seats: seats([0, 6_501]) }), at)
      .thenRejected({ code: "seat_price_fixed", facts: { charged: 6_500, asked: 6_501 } });
    given([...paid(), moved])
      .when(change({ seats: seats([6_500, 0], ["12A", "12B"], "chg_2") }), at + 1)
      .then([changed(at + 1, { changeId: "chg_2", seats: ["12A", "12B"] })]);
  });

  test("whoever paid without seats chooses among those that cost nothing", () => {
    const unseated = [
      created({ seats: [], surcharges: [], totalAmount: 200_000 }),
      started(T0 + 1, undefined, 200_000),
      succeeded(T0 + 2),
      confirmed(T0 + 2),
    ];
    given(unseated)
      .when(change({ seats: seats([0, 0]) }), at)
      .then([moved]);
    given(unseated)
      .when(change({ seats: seats([1, 0]) }), at)
      .thenRejected({ code: "seat_price_fixed", facts: { charged: 0, asked: 1 } });
  });

  test("not after departure, unless they are the seats that are there", () => {
    given(paid())
      .when(change({ seats: seats([0, 0]) }), DEPARTS_AT)
      .thenRejected("flight_departed");
    given(paid())
      .when(change({ seats: seats([0, 0], ["10A", "10B"]) }), DEPARTS_AT)
      .then([]);
    given(paid())
      .when(change({ seats: seats([0, 0]) }), DEPARTS_AT - 1)
      .then([changed(DEPARTS_AT - 1, { changeId: "chg_1", seats: ["11A", "11B"] })]);
  });
});

describe("a change of seats happens once", () => {
  const first = changed(T0 + 1, { changeId: "chg_1", seats: ["11A", "11B"] });
  const second = changed(T0 + 2, { changeId: "chg_2", seats: ["12A", "12B"] });
  const close = { type: "CloseSeatChange", changeId: "chg_1" } as const;
  const closed = { type: "SeatChangeClosed", at: T0 + 1, data: { changeId: "chg_1" } } as const;

  test("repeated after another one, it changes nothing", () => {
    given([created(), first, second])
      .when(change({ seats: seats([2_500, 4_000]) }), T0 + 3)
      .then([]);
    given([created(), first, cancelled(T0 + 2)])
      .when(change({ seats: seats([2_500, 4_000]) }), T0 + 3)
      .then([]);
  });

  test("closed, it is refused for good", () => {
    given([created()])
      .when(close, T0 + 1)
      .then([closed]);
    given([created(), closed])
      .when(close, T0 + 2)
      .then([]);
    given([created(), closed])
      .when(change({ reference: "x", seats: seats([0, 0]) }), T0 + 2)
      .thenRejected("change_closed");
  });

  test("closing does not undo what was taken over", () => {
    given([created(), first])
      .when(close, T0 + 2)
      .then([]);
    expect(hasAppliedSeatChange(given([created(), first, second]).state(), "chg_1")).toBe(true);
    expect(hasAppliedSeatChange(given([created(), closed]).state(), "chg_1")).toBe(false);
    expect(hasAppliedSeatChange(given([]).state(), "chg_1")).toBe(false);
  });

  test("a cancelled booking needs no closing, a missing one cannot be closed", () => {
    given([created(), cancelled(T0 + 1)])
      .when(close, T0 + 2)
      .then([]);
    given([])
      .when(close, T0 + 2)
      .thenRejected("booking_not_found");
  });
});
