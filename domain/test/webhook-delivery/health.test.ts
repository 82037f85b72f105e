import { describe, expect, test } from "@jest/globals";
import {
  afterFailedProbe,
  afterFailure,
  afterResume,
  afterSuccess,
  DAY,
  type EndpointHealth,
  HEALTHY,
  HOUR,
  healthAt,
  isProbeDue,
  pausesAt,
  requeuesDeliveries,
} from "../../src/index.ts";

const T = 1_000_000;
const failure = (at: number, gone = false) => ({ at, reason: gone ? "410" : `failed at ${at}`, gone });

/** An endpoint that nothing has succeeded at since T. */
const failing = afterFailure(HEALTHY, failure(T));
const paused = healthAt(failing, T + 5 * DAY);
const gone = afterFailure(HEALTHY, failure(T, true));

describe("an active endpoint", () => {
  test("stays as it is when deliveries succeed", () => {
    expect(afterSuccess(HEALTHY, T)).toBe(HEALTHY);
    expect(afterResume(HEALTHY, T)).toBe(HEALTHY);
    expect(healthAt(HEALTHY, T + 100 * DAY)).toBe(HEALTHY);
    expect(pausesAt(HEALTHY)).toBeUndefined();
  });

  test("fails from its first failed attempt on", () => {
    expect(failing).toStrictEqual({
      ...HEALTHY,
      status: "failing",
      since: T,
      reason: `failed at ${T}`,
      failingSince: T,
    });
  });

  test("is paused by 410 at once, and never probed", () => {
    expect(gone).toStrictEqual({ ...HEALTHY, status: "paused", since: T, reason: "410", failingSince: T });
    expect(isProbeDue(gone, T + 100 * DAY)).toBe(false);
  });
});

describe("a failing endpoint", () => {
  test("goes on failing since the first failure, for the reason of the latest", () => {
    const later = afterFailure(failing, failure(T + DAY));
    expect(later).toStrictEqual({ ...failing, reason: `failed at ${T + DAY}` });
    expect(afterFailure(later, failure(T + DAY))).toBe(later);
  });

  test("is active again after one success, and remembers when its failure began", () => {
    expect(afterSuccess(failing, T + DAY)).toStrictEqual({
      ...HEALTHY,
      since: T + DAY,
      restarts: [{ since: T, at: T + DAY, resumed: false }],
    });
  });

  test("is paused after five days without a success, on the millisecond, by a failure or by time alone", () => {
    const end = T + 5 * DAY;
    expect(pausesAt(failing)).toBe(end);
    expect(healthAt(failing, end - 1)).toBe(failing);
    expect(afterFailure(failing, failure(end - 1)).status).toBe("failing");
    expect(paused).toStrictEqual({
      ...HEALTHY,
      status: "paused",
      since: end,
      reason: `no delivery has succeeded for five days: failed at ${T}`,
      failingSince: T,
      probeAt: end + HOUR,
    });
    const reason = `no delivery has succeeded for five days: failed at ${end}`;
    expect(afterFailure(failing, failure(end))).toStrictEqual({ ...paused, reason });
    expect(healthAt(failing, end + 3 * DAY)).toStrictEqual(paused);
  });

  test("a success in between starts the five days anew", () => {
    const again = afterFailure(afterSuccess(failing, T + 4 * DAY), failure(T + 4 * DAY + 1));
    expect(pausesAt(again)).toBe(T + 9 * DAY + 1);
  });

  test("is paused by 410, whenever its failure began", () => {
    const { failingSince, probeAt, since } = afterFailure(failing, failure(T + DAY, true));
    expect([failingSince, probeAt, since]).toStrictEqual([T, null, T + DAY]);
  });

  test("its end frees deliveries only where it lasted long enough for one to be exhausted, or its owner ended it", () => {
    const frees = (health: EndpointHealth) => health.restarts.some(requeuesDeliveries);
    expect(frees(afterSuccess(failing, T + 2 * DAY))).toBe(false);
    expect(frees(afterSuccess(failing, T + 3 * DAY))).toBe(true);
    expect(frees(afterResume(failing, T + 1))).toBe(true);
  });

  test("can be resumed by its owner", () => {
    expect(afterResume(failing, T + DAY)).toStrictEqual({
      ...HEALTHY,
      since: T + DAY,
      restarts: [{ since: T, at: T + DAY, resumed: true }],
    });
  });

  test("what ended it is remembered where that freed deliveries, whatever fails and succeeds after it", () => {
    const end = { since: T, at: T + DAY, resumed: true };
    let health = afterResume(failing, end.at);
    for (let at = end.at + 1; at < end.at + 100; at += 2) {
      health = afterSuccess(afterFailure(health, failure(at)), at + 1);
      expect(health.restarts).toStrictEqual([end, { since: at, at: at + 1, resumed: false }]);
    }
  });

  test("of more than eight such ends the oldest count as one", () => {
    let health: EndpointHealth = HEALTHY;
    for (let day = 0; day < 20; day += 2) {
      health = afterResume(afterFailure(health, failure(T + day * DAY)), T + (day + 1) * DAY);
    }
    expect(health.restarts).toHaveLength(8);
    expect(health.restarts[0]).toStrictEqual({ since: T, at: T + 5 * DAY, resumed: true });
    expect(health.restarts.at(-1)).toStrictEqual({ since: T + 18 * DAY, at: T + 19 * DAY, resumed: true });
  });
});

describe("a paused endpoint", () => {
  const pausedAt = T + 5 * DAY;

  test("is probed every hour", () => {
    expect(isProbeDue(paused, pausedAt + HOUR - 1)).toBe(false);
    expect(isProbeDue(paused, pausedAt + HOUR)).toBe(true);
    const again = afterFailedProbe(paused, pausedAt + HOUR + 7);
    expect(isProbeDue(again, pausedAt + 2 * HOUR + 6)).toBe(false);
    expect(isProbeDue(again, pausedAt + 2 * HOUR + 7)).toBe(true);
    const at = pausedAt + HOUR + 8;
    const reason = `no delivery has succeeded for five days: failed at ${at}`;
    const latest = afterFailure(again, failure(at));
    expect(latest).toStrictEqual({ ...again, reason });
    expect(afterFailure(latest, failure(at))).toBe(latest);
  });

  test("is not probed any more where it was resumed, or is gone, meanwhile", () => {
    for (const health of [HEALTHY, failing, gone]) expect(afterFailedProbe(health, pausedAt + HOUR)).toBe(health);
  });

  test("is resumed by a probe that succeeds: all that it missed since its failure began is owed", () => {
    expect(afterSuccess(paused, pausedAt + HOUR)).toStrictEqual({
      ...HEALTHY,
      since: pausedAt + HOUR,
      restarts: [{ since: T, at: pausedAt + HOUR, resumed: true }],
    });
  });

  test("a probe that is answered 410 is the last", () => {
    const { status, probeAt, failingSince } = afterFailure(paused, failure(pausedAt + HOUR, true));
    expect([status, probeAt, failingSince]).toStrictEqual(["paused", null, T]);
  });

  test("after 410 nothing resumes it but its owner, not even a success that was under way", () => {
    expect(afterSuccess(gone, T + 1)).toBe(gone);
    expect(afterFailure(gone, failure(T + 1))).toBe(gone);
    expect(afterFailure(gone, failure(T + 1))).toBe(gone);
    expect(afterFailure(gone, failure(T + 1, true))).toBe(gone);
    const back: EndpointHealth = afterResume(gone, T + DAY);
    expect([back.status, back.restarts]).toStrictEqual(["active", [{ since: T, at: T + DAY, resumed: true }]]);
  });
});
