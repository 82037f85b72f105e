import { expect, test } from "@jest/globals";
import {
  type BookingEvent,
  DAY,
  dueTasksOfSeatAssignment,
  evolveSeatAssignment,
  type SeatAssignment,
} from "../../src/index.ts";
import { BOOKING, cancelled, confirmed, created, DEPARTS_AT, T0 } from "../booking/fixtures.ts";

/** What the last of these events opens and closes. */
function changes(...events: readonly BookingEvent[]) {
  const states: (SeatAssignment | undefined)[] = [];
  for (const event of events) states.push(evolveSeatAssignment(states.at(-1), event));
  return dueTasksOfSeatAssignment(BOOKING, states.at(-2), states.at(-1));
}

const unseated = created({ seats: [] });
const key = `assign_seats/${BOOKING}`;
const seats = (chosen: readonly string[], at = T0): BookingEvent => ({
  type: "BookingChanged",
  at,
  data: { changeId: "chg_1", seats: chosen },
});
const owed = (dueAt: number) => ({
  opened: [{ key, dueTask: { kind: "assign_seats", bookingId: BOOKING, dueAt } }],
  closed: [],
});

test("a booking that is paid without seats is owed some a day before departure, or at once", () => {
  expect(changes(unseated, confirmed(T0))).toStrictEqual(owed(DEPARTS_AT - DAY));
  expect(changes(unseated, confirmed(DEPARTS_AT - DAY + 1))).toStrictEqual(owed(DEPARTS_AT - DAY + 1));
});

test("nothing is owed to who has seats, has not paid or does not travel", () => {
  const none = { opened: [], closed: [] };
  expect(changes(unseated)).toStrictEqual(none);
  expect(changes(created(), confirmed(T0))).toStrictEqual(none);
  expect(changes(unseated, seats(["11A", "11B"]), confirmed(T0))).toStrictEqual(none);
  expect(changes(unseated, cancelled(T0))).toStrictEqual(none);
});

test("it is met by seats, or by the end of the booking", () => {
  expect(changes(unseated, confirmed(T0), seats(["11A", "11B"]))).toStrictEqual({ opened: [], closed: [key] });
  expect(changes(unseated, confirmed(T0), cancelled(T0))).toStrictEqual({ opened: [], closed: [key] });
});

test("a change of something else leaves it", () => {
  const change: BookingEvent = { type: "BookingChanged", at: T0, data: { changeId: null, reference: "new" } };
  expect(changes(unseated, confirmed(T0), change)).toStrictEqual({ opened: [], closed: [] });
});
