import { describe, expect, test } from "@jest/globals";
import {
  assignMissingSeats,
  type BookingEvent,
  DAY,
  evolveSeatAssignment,
  type SeatAssignment,
  SeatChangeInProgress,
  sagaOf,
  seatAssignmentChanges,
} from "../../src/index.ts";
import { BOOKING, cancelled, confirmed, created, DEPARTS_AT, T0 } from "../booking/fixtures.ts";
import { accepted, play, rejected } from "./play.ts";

/** What the last of these events opens and closes. */
function changes(...events: readonly BookingEvent[]) {
  const states: (SeatAssignment | undefined)[] = [];
  for (const event of events) states.push(evolveSeatAssignment(states.at(-1), event));
  return seatAssignmentChanges(BOOKING, states.at(-2), states.at(-1));
}

const unseated = created({ seats: [] });
const key = `${BOOKING}/assign_seats`;
const seats = (chosen: readonly string[], at = T0): BookingEvent => ({
  type: "BookingChanged",
  at,
  data: { changeId: "chg_1", seats: chosen },
});
const dueSeats = (dueAt: number) => ({
  opened: [{ key, task: { kind: "assign_seats", bookingId: BOOKING, dueAt } }],
  closed: [],
});

test("a booking that is paid without seats is due some a day before departure, or at once", () => {
  expect(changes(unseated, confirmed(T0))).toStrictEqual(dueSeats(DEPARTS_AT - DAY));
  expect(changes(unseated, confirmed(DEPARTS_AT - DAY + 1))).toStrictEqual(dueSeats(DEPARTS_AT - DAY + 1));
});

test("none are due to a booking that has seats, is not paid or is cancelled", () => {
  const none = { opened: [], closed: [] };
  expect(changes(unseated)).toStrictEqual(none);
  expect(changes(created(), confirmed(T0))).toStrictEqual(none);
  expect(changes(unseated, seats(["11A", "11B"]), confirmed(T0))).toStrictEqual(none);
  expect(changes(unseated, cancelled(T0))).toStrictEqual(none);
});

test("seats, or the end of the booking, close it", () => {
  expect(changes(unseated, confirmed(T0), seats(["11A", "11B"]))).toStrictEqual({ opened: [], closed: [key] });
  expect(changes(unseated, confirmed(T0), cancelled(T0))).toStrictEqual({ opened: [], closed: [key] });
});

test("another departure moves it", () => {
  const departs = (departsAt: number): BookingEvent => ({ type: "DepartureMoved", at: T0, data: { departsAt } });
  expect(changes(unseated, confirmed(T0), departs(DEPARTS_AT + DAY))).toStrictEqual(dueSeats(DEPARTS_AT));
  expect(changes(unseated, departs(DEPARTS_AT + DAY), confirmed(T0))).toStrictEqual(dueSeats(DEPARTS_AT));
});

test("none are due where the flight is cancelled; they are again on another, also once that is cancelled and reinstated", () => {
  const before = { flightId: "flt_1", departsAt: DEPARTS_AT, durationDays: 480, cabin: "economy", seats: [] } as const;
  const after = { ...before, flightId: "flt_2", departsAt: DEPARTS_AT + DAY };
  const about = {
    caseId: "C",
    reason: null,
    flightRevision: 1,
    significant: true,
    before,
    respondBy: T0 + DAY,
  } as const;
  const first = { ...about, disruptionId: "dis_1", kind: "cancelled" } as const;
  const disrupted: BookingEvent = {
    type: "BookingDisrupted",
    at: T0,
    data: { ...first, after: null, onSilence: null },
  };
  const told: BookingEvent = { type: "CaseRevised", at: T0, data: { ...first, after, onSilence: "accept" } };
  const { flightId, departsAt } = after;
  const places = { caseId: "C", moveId: "M", flightId, departsAt, seats: [], flightRevision: 0 };
  const moved: BookingEvent = { type: "BookingMoved", at: T0, data: places };
  const again = { ...first, disruptionId: "dis_2", after: null, onSilence: "refund" } as const;
  const cancelledToo: BookingEvent = { type: "CaseRevised", at: T0, data: again };
  const story = [unseated, confirmed(T0), disrupted];
  expect(changes(...story)).toStrictEqual({ opened: [], closed: [key] });
  expect(
    changes(...story, { ...told, data: { ...told.data, onSilence: "refund" } } as BookingEvent).opened,
  ).toStrictEqual([]);
  const onOther = [...story, told, moved];
  expect(changes(...onOther)).toStrictEqual(dueSeats(DEPARTS_AT));
  expect(changes(...onOther, cancelledToo)).toStrictEqual({ opened: [], closed: [key] });
  expect(changes(...onOther, cancelledToo, told)).toStrictEqual(dueSeats(DEPARTS_AT));
});

test("a change of something else leaves it open", () => {
  const change: BookingEvent = { type: "BookingChanged", at: T0, data: { changeId: null, reference: "new" } };
  expect(changes(unseated, confirmed(T0), change)).toStrictEqual({ opened: [], closed: [] });
});

describe("the saga", () => {
  const seatless = { accountId: "A", flightId: "F", passengers: ["ada"] };
  const task = { kind: "assign_seats", bookingId: "B", dueAt: 0 } as const;
  const chosen = { changeId: "cmd", seats: ["11A"] };
  const find = ["booking-B", { type: "ExpireBooking" }];
  const prefer = ["seatPreferences", "A", ["ada"]];
  const reserve = ["flight-F", { type: "AssignSeats", bookingId: "B", changeId: "cmd", preferences: ["window"] }];
  const take = ["booking-B", { type: "AssignSeatsToBooking", ...chosen }];
  const reservedOn = (isDisrupted: boolean) => accepted({ seats: chosen, isDisrupted });
  const reserving = [accepted(seatless), ["window"], reservedOn(false)];

  test("the flight reserves seats under the command's id, the booking takes them over, the flight applies them", () => {
    const { steps, result } = play(assignMissingSeats("B"), ...reserving, accepted(true), accepted());
    expect(result).toBe(true);
    expect(steps).toStrictEqual([
      find,
      prefer,
      reserve,
      "seats:reserved",
      take,
      "seats:decided",
      ["flight-F", { type: "ApplySeatChange", bookingId: "B", changeId: "cmd" }],
    ]);
  });

  test("a booking follows a flight that was disrupted before it takes seats of it", () => {
    const following = [accepted(seatless), ["window"], reservedOn(true), "F", [], accepted({})];
    const { steps } = play(assignMissingSeats("B"), ...following, accepted(true), accepted());
    expect(steps.slice(3, 8)).toStrictEqual([
      "seats:reserved",
      ["booking-B"],
      ["flight-F"],
      ["booking-B", { type: "FollowFlight", flightId: "F", changes: [] }],
      take,
    ]);
  });

  test.each([
    ["a booking without need", [accepted(undefined)], [find]],
    [
      "one that is cancelled meanwhile",
      [accepted(seatless), ["window"], rejected("allocation_released")],
      [find, prefer, reserve],
    ],
  ])("leaves %s alone", (_, answers, steps) => {
    expect(play(assignMissingSeats("B"), ...answers)).toStrictEqual({ steps, result: true });
  });

  test("tries again with growing pauses while another seat change is under way; as a task it fails then", () => {
    const attempt = [accepted(seatless), ["window"], accepted(undefined), undefined];
    const answers = Array.from({ length: 6 }, () => attempt).flat();
    const { steps, result } = play(assignMissingSeats("B"), ...answers);
    expect(result).toBe(false);
    const pauses = steps.filter((step) => Array.isArray(step) && step[0] === "pause");
    expect(pauses).toStrictEqual([40, 80, 160, 320, 640].map((milliseconds) => ["pause", milliseconds]));
    expect(() => play(sagaOf(task), "F", [], accepted(DAY), ...answers)).toThrow(SeatChangeInProgress);
  });

  test("as a task it follows the flight first, and leaves a booking alone that departs later by then", () => {
    const following = [
      ["booking-B"],
      ["flight-F"],
      ["booking-B", { type: "FollowFlight", flightId: "F", changes: [] }],
    ];
    expect(play(sagaOf(task), "F", [], accepted(DAY + 1)).steps).toStrictEqual(following);
    expect(play(sagaOf(task), "F", [], accepted(DAY), accepted(undefined)).steps).toStrictEqual([...following, find]);
  });

  test("a booking that does not take the seats is closed against them", () => {
    const refused = [...reserving, accepted(false), accepted(false), accepted()];
    expect(play(assignMissingSeats("B"), ...refused, undefined, accepted(undefined)).steps.slice(6, 8)).toStrictEqual([
      ["booking-B", { type: "CloseSeatChange", changeId: "cmd" }],
      ["flight-F", { type: "DropSeatChange", bookingId: "B", changeId: "cmd" }],
    ]);
  });
});
