import { describe, expect, test } from "@jest/globals";
import { type AssignSeatsToBooking, type BookingEvent, hasAppliedSeatChange } from "../../src/index.ts";
import { cancelled, confirmed, created, DEPARTS_AT, given, paid, T0 } from "./fixtures.ts";

const WITHOUT_SEATS = { seats: [], surcharges: [] };
const assign = (about: Partial<AssignSeatsToBooking> = {}): AssignSeatsToBooking => ({
  type: "AssignSeatsToBooking",
  flightId: "flt_1",
  changeId: "chg_1",
  cabin: "economy",
  seats: ["11A", "11B"],
  ...about,
});
const assigned = (at: number): BookingEvent => ({
  type: "BookingChanged",
  at,
  data: { changeId: "chg_1", seats: ["11A", "11B"] },
});

describe("assigning seats to a booking", () => {
  const unseated = [created(WITHOUT_SEATS), confirmed(T0)];

  test("they cost nothing, and are taken over once", () => {
    given(unseated)
      .when(assign(), T0 + 1)
      .then([assigned(T0 + 1)]);
    given([...unseated, assigned(T0)])
      .when(assign(), T0 + 1)
      .then([]);
    const booking = given([...unseated, assigned(T0)]).state();
    expect(booking).toMatchObject({ seats: ["11A", "11B"], surcharges: [] });
    expect(hasAppliedSeatChange(booking, "chg_1")).toBe(true);
  });

  test("late rather than never", () => {
    given(unseated)
      .when(assign(), DEPARTS_AT)
      .then([assigned(DEPARTS_AT)]);
  });

  test("refused where the booking has moved on, or is not paid", () => {
    given([]).when(assign(), T0).thenRejected("booking_not_found");
    given([created(WITHOUT_SEATS)])
      .when(assign(), T0)
      .thenRejected("booking_pending");
    given([...unseated, cancelled(T0)])
      .when(assign(), T0)
      .thenRejected("booking_cancelled");
    given(paid()).when(assign(), T0).thenRejected("seats_chosen");
    given(unseated)
      .when(assign({ cabin: "business" }), T0)
      .thenRejected({ code: "cabin_left", facts: { cabin: "business" } });
    given(unseated)
      .when(assign({ flightId: "flt_2" }), T0)
      .thenRejected("cabin_left");
    given(unseated)
      .when(assign({ seats: ["11A"] }), T0)
      .thenRejected({ code: "seat_count_mismatch", facts: { passengers: 2, seats: 1 } });
    given([...unseated, { type: "SeatChangeClosed", at: T0, data: { changeId: "chg_1" } }])
      .when(assign(), T0)
      .thenRejected("change_closed");
  });
});
