import { afterEach, describe, expect, test } from "@jest/globals";
import { DAY, FOLLOW_UP_GRACE, RECOVERY_GRACE } from "@travel-booking/domain";
import { obligations } from "../../src/projections/obligations.ts";
import {
  T0 as BOOKED,
  BOOKING,
  CARD_PAYMENT,
  cancelled,
  cardStarted,
  confirmed,
  created,
  ofBooking,
  succeeded,
  transferStarted,
} from "./kit/booking-history.ts";
import { closeAll, DELIVERIES, deliver, type Made } from "./kit/deliver.ts";
import { allocated, HOLD_ENDS, held, released, scheduled, T0 } from "./kit/flight-history.ts";

function due(made: Made): Promise<readonly unknown[]> {
  return made.list("obligations.due", "byDueTime", "all");
}

describe.each(DELIVERIES)("obligations, delivered %s", (delivery) => {
  let made: Made;
  afterEach(closeAll);

  test("stand in the order they fall due in", async () => {
    const history = [scheduled("F-1"), held("F-1", "h1", ["10A"]), allocated("F-1", BOOKING)];
    made = await deliver(obligations, history, delivery);
    expect(await due(made)).toStrictEqual([
      { kind: "claim_allocation", flightId: "F-1", bookingId: BOOKING, dueAt: T0 + 1 + RECOVERY_GRACE },
      { kind: "expire_hold", flightId: "F-1", holdId: "h1", dueAt: HOLD_ENDS },
    ]);
    expect(await made.body("obligations.due", "expire_hold/h1")).toStrictEqual({
      kind: "expire_hold",
      flightId: "F-1",
      holdId: "h1",
      dueAt: HOLD_ENDS,
    });
  });

  test("go with the event that shows them done, of whatever stream", async () => {
    const history = [
      scheduled("F-1"),
      held("F-1", "h1", ["10A"]),
      allocated("F-1", BOOKING, { seats: ["10A"], holdId: "h1" }),
      ...ofBooking([created(), cardStarted(BOOKED + 1)]),
    ];
    made = await deliver(obligations, history, delivery);
    expect(await due(made)).toStrictEqual([
      { kind: "close_payment", bookingId: BOOKING, paymentId: CARD_PAYMENT, dueAt: BOOKED + 1 + RECOVERY_GRACE },
      { kind: "expire_booking", bookingId: BOOKING, dueAt: BOOKED + DAY },
    ]);
    const paid = ofBooking([succeeded(BOOKED + 2, CARD_PAYMENT), confirmed(BOOKED + 2)]);
    made = await deliver(obligations, [...history, ...paid], delivery);
    expect(await due(made)).toStrictEqual([]);
    const gone = ofBooking([cancelled(BOOKED + 3)]);
    made = await deliver(obligations, [...history, ...paid, ...gone], delivery);
    expect(await due(made)).toStrictEqual([
      { kind: "release_seats", bookingId: BOOKING, dueAt: BOOKED + 3 + FOLLOW_UP_GRACE },
    ]);
    made = await deliver(obligations, [...history, ...paid, ...gone, released("F-1", BOOKING)], delivery);
    expect(await due(made)).toStrictEqual([]);
  });

  test("seats of a booking that ran out of time are due at once: no request gives them back", async () => {
    made = await deliver(obligations, ofBooking([created(), cancelled(BOOKED + DAY, "expired")]), delivery);
    expect(await due(made)).toStrictEqual([{ kind: "release_seats", bookingId: BOOKING, dueAt: BOOKED + DAY }]);
  });

  test("one of the same name takes the other's place", async () => {
    made = await deliver(obligations, ofBooking([created(), transferStarted(BOOKED + 1)]), delivery);
    expect(await due(made)).toStrictEqual([
      { kind: "expire_booking", bookingId: BOOKING, dueAt: BOOKED + 1 + 3 * DAY },
    ]);
  });
});
