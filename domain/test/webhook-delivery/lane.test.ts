import { describe, expect, test } from "@jest/globals";
import {
  afterDelivery,
  afterFailedAttempt,
  afterFailure,
  afterResume,
  afterSuccess,
  applyHealthToLane,
  countPending,
  DAY,
  type EndpointHealth,
  HEALTHY,
  healthAt,
  isEmptyLane,
  type Lane,
  laneDueAt,
  needsRefill,
  newLane,
  type PendingDelivery,
  RETRY_DELAYS,
  retryDelay,
  withNewDeliveries,
  withRefill,
  withReplayedDeliveries,
} from "../../src/index.ts";

const T = 1_000_000;
const delivery = (n: number): PendingDelivery => ({
  eventId: `evt_${n}`,
  type: "booking.changed",
  sort: String(n).padStart(5, "0"),
  at: n,
});
const deliveries = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => delivery(from + index));
const laneOf = (...numbers: readonly number[]): Lane => withNewDeliveries(newLane("acc"), numbers.map(delivery));
const numbers = ({ owed }: Lane) => owed.map(({ at }) => at);
const fail = (lane: Lane, at: number, retryAfter: number | null = null) =>
  afterFailedAttempt(lane, lane.owed[0]?.sort ?? "", { at, chance: 0.5, retryAfter });

/** All attempts fail from `at` on, a minute each; the lane after the last, and when that was. */
function exhaust(lane: Lane, at: number): { readonly lane: Lane; readonly at: number } {
  for (let now = at, current = lane; ; ) {
    const failed = fail(current, now);
    if (failed.nextAt === null) return { lane: failed.lane, at: now };
    now = failed.nextAt;
    current = failed.lane;
  }
}

describe("new events", () => {
  test("are owed in order, at once", () => {
    const lane = withNewDeliveries(laneOf(1, 2), [delivery(4)]);
    expect([numbers(lane), countPending(lane), laneDueAt(lane), lane.last]).toStrictEqual([[1, 2, 4], 3, 0, "00004"]);
    expect(isEmptyLane(lane)).toBe(false);
  });

  test("added a second time change nothing, sent or not", () => {
    const lane = laneOf(1, 2);
    expect(withNewDeliveries(lane, deliveries(1, 2))).toBe(lane);
    const sent = afterDelivery(afterDelivery(lane, delivery(1).sort), delivery(2).sort);
    expect(isEmptyLane(sent)).toBe(true);
    expect(withNewDeliveries(sent, deliveries(1, 2))).toBe(sent);
    expect(numbers(withNewDeliveries(sent, deliveries(1, 3)))).toStrictEqual([3]);
  });

  test("do not touch what is waited for", () => {
    const { lane } = fail(laneOf(1), T);
    expect(withNewDeliveries(lane, [delivery(2)])).toStrictEqual({
      ...lane,
      owed: deliveries(1, 2),
      namedTo: "00002",
      last: "00002",
    });
  });

  test("beyond a hundred are only counted, then named again in order", () => {
    let lane = withNewDeliveries(laneOf(1, 2), deliveries(3, 150));
    lane = withNewDeliveries(lane, deliveries(151, 160));
    expect([lane.owed.length, lane.more, lane.namedTo, lane.last]).toStrictEqual([100, 60, "00100", "00160"]);
    expect(withNewDeliveries(lane, deliveries(101, 160))).toBe(lane);
    for (const { sort } of deliveries(1, 100)) lane = afterDelivery(lane, sort);
    expect([needsRefill(lane), countPending(lane), laneDueAt(lane), isEmptyLane(lane)]).toStrictEqual([
      true,
      60,
      0,
      false,
    ]);
    lane = withRefill(lane, deliveries(101, 140), false);
    expect([numbers(lane).length, lane.more, lane.namedTo]).toStrictEqual([40, 20, "00140"]);
    for (const { sort } of deliveries(101, 140)) lane = afterDelivery(lane, sort);
    lane = withRefill(lane, deliveries(141, 160), true);
    expect([numbers(lane), lane.more]).toStrictEqual([deliveries(141, 160).map(({ at }) => at), 0]);
  });
});

describe("attempts", () => {
  test("one that succeeds lets the next have its turn, from its first attempt on", () => {
    const tried = fail(laneOf(1, 2), T).lane;
    expect(afterDelivery(tried, delivery(1).sort)).toStrictEqual(
      withNewDeliveries({ ...laneOf(1, 2), owed: [delivery(2)] }, []),
    );
  });

  test("one that fails waits, in front", () => {
    const { lane, nextAt } = fail(laneOf(1, 2), T);
    expect([numbers(lane), lane.failures, lane.firstAt, lane.triedAt, laneDueAt(lane), nextAt]).toStrictEqual([
      [1, 2],
      1,
      T,
      T,
      T + 5_000,
      T + 5_000,
    ]);
    expect(fail(lane, T + 9_000, 400_000).nextAt).toBe(T + 9_000 + 400_000);
  });

  test("the tenth that fails is the last: the delivery is exhausted and the lane goes on", () => {
    const { lane, at } = exhaust(laneOf(1, 2), T);
    // 75.6 hours and a little.
    expect(at - T).toBe(((0.5 + 2 + 5 + 10 + 14 + 20 + 24) * 60 + 5) * 60_000 + 5_000);
    expect([numbers(lane), lane.failures, laneDueAt(lane)]).toStrictEqual([[2], 0, 0]);
    expect(lane.exhausted).toStrictEqual([{ ...delivery(1), firstAt: T, exhaustedAt: at }]);
    expect(isEmptyLane(afterDelivery(lane, delivery(2).sort))).toBe(false);
  });

  test("what came before meanwhile is not charged with the failure, and is followed once more by what was sent", () => {
    const lane = withReplayedDeliveries(laneOf(5), [delivery(3)]);
    expect(afterFailedAttempt(lane, delivery(5).sort, { at: T, chance: 0.5, retryAfter: null })).toStrictEqual({
      lane,
      nextAt: T,
    });
    expect(numbers(afterDelivery(lane, delivery(5).sort))).toStrictEqual([3, 5]);
  });
});

describe("the end of a failure", () => {
  const failingSince = (at: number): EndpointHealth => afterFailure(HEALTHY, { at, reason: "500", gone: false });

  test("after a pause everything exhausted since it began comes first, in order, and nothing waits", () => {
    const first = exhaust(laneOf(1, 2, 3), T);
    const second = fail(first.lane, first.at + 1).lane;
    const paused = healthAt(failingSince(T), T + 6 * DAY);
    for (const health of [paused, afterResume(paused, T + 7 * DAY), afterSuccess(paused, T + 7 * DAY)]) {
      const lane = applyHealthToLane(second, health);
      expect([numbers(lane), lane.failures, laneDueAt(lane), lane.exhausted]).toStrictEqual([[1, 2, 3], 0, 0, []]);
    }
  });

  test("after a pause what waits for its next attempt waits no longer", () => {
    const lane = fail(laneOf(1), T).lane;
    const back = afterResume(healthAt(failingSince(T), T + 6 * DAY), T + 7 * DAY);
    expect([applyHealthToLane(lane, back).failures, laneDueAt(applyHealthToLane(lane, back))]).toStrictEqual([0, 0]);
    const later = fail(applyHealthToLane(lane, back), T + 7 * DAY + 1).lane;
    expect(applyHealthToLane(later, back)).toBe(later);
  });

  test("what was exhausted before the failure began stays so", () => {
    const { lane, at } = exhaust(laneOf(1, 2), T);
    const paused = healthAt(failingSince(at + 1), at + 6 * DAY);
    expect(numbers(applyHealthToLane(lane, paused))).toStrictEqual([2]);
    expect(applyHealthToLane(lane, paused).exhausted).toStrictEqual([]);
  });

  test("a success alone brings back what never had a chance, once", () => {
    const { lane, at } = exhaust(laneOf(1, 2), T);
    const recovered = afterSuccess(failingSince(T), at + DAY);
    const back = applyHealthToLane(lane, recovered);
    expect([numbers(back), back.owed[0]?.again, back.exhausted]).toStrictEqual([[1, 2], true, []]);
    const again = exhaust(back, at + DAY);
    const recoveredAgain = afterSuccess(failingSince(at + DAY), again.at + DAY);
    expect(numbers(applyHealthToLane(again.lane, recoveredAgain))).toStrictEqual([2]);
    // A pause is another matter.
    const paused = healthAt(failingSince(at + DAY), again.at + 6 * DAY);
    expect(numbers(applyHealthToLane(again.lane, paused))).toStrictEqual([1, 2]);
  });

  test("a success does not bring back what was refused while others succeeded, and shortens no pause", () => {
    const { lane, at } = exhaust(laneOf(1), T);
    const recovered = afterSuccess(failingSince(T + DAY), at + DAY);
    expect([
      numbers(applyHealthToLane(lane, recovered)),
      isEmptyLane(applyHealthToLane(lane, recovered)),
    ]).toStrictEqual([[], true]);
    const waiting = fail(laneOf(1), at).lane;
    expect(applyHealthToLane(waiting, recovered)).toBe(waiting);
  });

  test("is what counts for a lane that is looked at only when more has failed and succeeded since", () => {
    const { lane, at } = exhaust(laneOf(1, 2), T);
    const paused = healthAt(failingSince(T), T + 6 * DAY);
    const ends = [
      afterResume(paused, T + 7 * DAY),
      afterSuccess(paused, T + 7 * DAY),
      afterSuccess(failingSince(T), at + 1),
    ];
    for (const end of ends) {
      const later = afterSuccess(afterFailure(end, { at: T + 8 * DAY, reason: "500", gone: false }), T + 8 * DAY + 1);
      expect([numbers(applyHealthToLane(lane, later)), applyHealthToLane(lane, later).exhausted]).toStrictEqual([
        [1, 2],
        [],
      ]);
    }
    const waiting = fail(laneOf(1), T + DAY).lane;
    const back = afterFailure(afterResume(paused, T + 7 * DAY), { at: T + 8 * DAY, reason: "500", gone: false });
    expect(laneDueAt(applyHealthToLane(waiting, afterSuccess(back, T + 8 * DAY + 1)))).toBe(0);
  });

  test("while it lasts, or where there was none, the lane is as it is", () => {
    const { lane } = exhaust(laneOf(1, 2), T);
    expect(applyHealthToLane(lane, failingSince(T))).toBe(lane);
    expect(applyHealthToLane(lane, HEALTHY)).toBe(lane);
  });
});

describe("a replay", () => {
  test("puts what was sent in front again, in order, and leaves what is owed", () => {
    let lane = laneOf(1, 2, 3, 4);
    for (const n of [1, 2, 3]) lane = afterDelivery(lane, delivery(n).sort);
    lane = fail(lane, T).lane;
    const replayed = withReplayedDeliveries(lane, deliveries(2, 4));
    expect([numbers(replayed), replayed.failures, laneDueAt(replayed)]).toStrictEqual([[2, 3, 4], 0, 0]);
    expect(withReplayedDeliveries(replayed, deliveries(2, 4))).toBe(replayed);
  });

  test("does not shorten the wait of what is in front already", () => {
    const lane = fail(laneOf(2), T).lane;
    const replayed = withReplayedDeliveries({ ...lane, last: "00009" }, [delivery(2), delivery(3)]);
    expect([numbers(replayed), replayed.failures]).toStrictEqual([[2, 3], 1]);
  });

  test("makes a lane where there is none", () => {
    const lane = withReplayedDeliveries(newLane("acc"), deliveries(1, 3));
    expect([numbers(lane), lane.last]).toStrictEqual([[1, 2, 3], "00003"]);
    expect(withNewDeliveries(lane, deliveries(1, 3))).toBe(lane);
  });

  test("takes what was exhausted with it", () => {
    const { lane } = exhaust(laneOf(1, 2), T);
    const replayed = withReplayedDeliveries(lane, deliveries(1, 2));
    expect([numbers(replayed), replayed.exhausted]).toStrictEqual([[1, 2], []]);
  });

  test("of more than a lane names counts the rest", () => {
    let lane = withReplayedDeliveries({ ...newLane("acc"), last: "00300" }, deliveries(1, 200));
    expect([lane.owed.length, lane.more, lane.namedTo]).toStrictEqual([100, 100, "00100"]);
    lane = withReplayedDeliveries(lane, deliveries(201, 300));
    expect([lane.owed.length, lane.namedTo, lane.last]).toStrictEqual([100, "00100", "00300"]);
    const newer = withReplayedDeliveries({ ...lane, last: "00250" }, deliveries(251, 260));
    expect([newer.owed.length, newer.more, newer.namedTo, newer.last]).toStrictEqual([100, 110, "00100", "00260"]);
    const earlier = withReplayedDeliveries(lane, [delivery(0)]);
    expect([numbers(earlier)[0], earlier.owed.length, earlier.namedTo]).toStrictEqual([0, 100, "00099"]);
  });
});

const MIDDLE = 0.5;

describe("pauses between attempts", () => {
  test("without jitter they are those of the schedule: ten attempts over three days", () => {
    const pauses = RETRY_DELAYS.map((_, failures) => retryDelay(failures, MIDDLE, null));
    const [s, m, h] = [1_000, 60_000, 3_600_000];
    expect(pauses).toStrictEqual([0, 5 * s, 5 * m, 30 * m, 2 * h, 5 * h, 10 * h, 14 * h, 20 * h, 24 * h]);
    expect(retryDelay(10, MIDDLE, null)).toBeUndefined();
    expect(retryDelay(11, MIDDLE, null)).toBeUndefined();
  });

  test("jitter moves them by a fifth either way", () => {
    expect([0, 0.25, 0.75, 1].map((chance) => retryDelay(1, chance, null))).toStrictEqual([4_000, 4_500, 5_500, 6_000]);
    expect([0, 1].map((chance) => retryDelay(9, chance, null))).toStrictEqual([69_120_000, 103_680_000]);
  });

  test.each([
    // What the receiver asks for, and what it gets instead of 5 s.
    [0, 5_000],
    [4_999, 5_000],
    [7_000, 7_000],
    [10_000, 10_000],
    [10_001, 10_000],
    [1e12, 10_000],
  ])("Retry-After of %d ms is heeded between one and two pauses", (retryAfter, pause) => {
    expect(retryDelay(1, MIDDLE, retryAfter)).toBe(pause);
  });

  test("Retry-After does not make the last attempt another one", () => {
    expect(retryDelay(10, MIDDLE, 60_000)).toBeUndefined();
  });
});
