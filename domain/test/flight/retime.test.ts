import { describe, expect, test } from "@jest/globals";
import {
  changesOf,
  DAY,
  type FlightEvent,
  flightDecider,
  HOUR,
  MINUTE,
  type ScheduledFlight,
} from "../../src/index.ts";
import { specification } from "../shared/specification.ts";
import { allocated, cancelledFlight, DEPARTURE, held, LATER, NOW, plan, scheduled } from "./sample-flight.ts";

const given = specification(flightDecider);
const tolerance = { earlier: HOUR, later: 3 * HOUR };
const LATE = DEPARTURE + 5 * HOUR;

const retime = (departsAt: number, revision = 0, more: { durationDays?: number } = {}) =>
  ({ type: "RetimeFlight", disruptionId: "dis_1", revision, reason: "storm", tolerance, departsAt, ...more }) as const;

const retimed = (departsAt = LATE, about: Partial<Extract<FlightEvent, { type: "FlightRetimed" }>["data"]> = {}) => {
  const decided = { disruptionId: "dis_1", revision: 1, reason: "storm", tolerance } as const;
  const data = { ...decided, departsAt, durationDays: plan.durationDays, bookings: 0, accounts: [], ...about };
  return { type: "FlightRetimed", at: LATER, data } satisfies FlightEvent;
};

describe("a flight that departs at another time", () => {
  test("tells how many are on board, and each account once", () => {
    given([scheduled, allocated("bkg_1", { seats: ["10A"] }), held("hld_1", ["10B"])])
      .when(retime(LATE), LATER)
      .then([retimed(LATE, { bookings: 1, accounts: ["acc_1"] })]);
  });

  test("may also take longer, at the same time or at another", () => {
    given([scheduled])
      .when(retime(DEPARTURE, 0, { durationDays: 481 }), LATER)
      .then([retimed(DEPARTURE, { durationDays: 481 })]);
    given([scheduled]).when(retime(DEPARTURE), LATER).thenRejected("times_unchanged");
  });

  test.each([
    ["two hours ahead where it is earlier", LATER + 2 * HOUR, LATER],
    ["15 minutes ahead where it is later", DEPARTURE + 14 * MINUTE, DEPARTURE - MINUTE],
  ])("departs %s, and no sooner", (_, departsAt, at) => {
    given([scheduled])
      .when(retime(departsAt), at)
      .then([{ ...retimed(departsAt), at }]);
    given([scheduled])
      .when(retime(departsAt - 1), at)
      .thenRejected("departs_too_soon");
  });

  test("only before its departure, as the operator planned it, and not if it is cancelled", () => {
    given([scheduled]).when(retime(LATE), DEPARTURE).thenRejected("flight_departed");
    given([scheduled, retimed()])
      .when(retime(LATE + 1), LATER)
      .thenRejected({
        code: "flight_revision_changed",
        facts: { revision: 1 },
      });
    given([scheduled, cancelledFlight()]).when(retime(LATE, 1), LATER).thenRejected("flight_cancelled");
  });

  test("everything goes by the new departure", () => {
    const hold = { type: "HoldSeats", holdId: "hld_1", accountId: "acc_1", seats: ["10A"] } as const;
    const decide = (event: FlightEvent, at: number) => {
      const flight = given([scheduled, event]).state();
      return flightDecider.decide(hold, flight, at).rejection?.code;
    };
    expect([decide(retimed(), DEPARTURE), decide(retimed(), LATE)]).toStrictEqual([undefined, "flight_departed"]);
    expect(decide(retimed(DEPARTURE - DAY), DEPARTURE - DAY)).toBe("flight_departed");
  });

  test("its bookings have to follow, from what was to what is", () => {
    const flight = given([scheduled, retimed(), retimed(LATE + 1, { revision: 2, disruptionId: "dis_2" })]).state();
    const times = (departsAt: number) => ({ departsAt, durationDays: plan.durationDays });
    const about = { kind: "retimed", reason: "storm", at: LATER, tolerance } as const;
    expect(changesOf(flight)).toStrictEqual([
      { disruptionId: "dis_1", revision: 1, ...about, before: times(DEPARTURE), after: times(LATE) },
      { disruptionId: "dis_2", revision: 2, ...about, before: times(LATE), after: times(LATE + 1) },
    ]);
    expect((flight as ScheduledFlight).disruptions.map(({ status }) => status)).toStrictEqual(["running", "running"]);
  });

  test("an import of its present plan changes nothing; one of an older plan is refused and names what has changed it", () => {
    const schedule = (departsAt: number) => ({ type: "ScheduleFlight", plan: { ...plan, departsAt } }) as const;
    const events = [scheduled, retimed(), retimed(LATE + 1, { revision: 2, disruptionId: "dis_2" })];
    const refused = (about: object) => ({ code: "flight_plan_fixed", facts: { flightId: "KP442", ...about } }) as const;
    given(events)
      .when(schedule(LATE + 1), NOW)
      .then([]);
    given(events)
      .when(schedule(DEPARTURE), NOW)
      .thenRejected(refused({ disruptionId: "dis_1" }));
    given(events)
      .when(schedule(LATE), NOW)
      .thenRejected(refused({ disruptionId: "dis_2" }));
    given(events)
      .when(schedule(LATE + 2), NOW)
      .thenRejected(refused({}));
  });
});
