import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { describe, expect, test } from "@jest/globals";
import { Backoff, BoundedBackoff, Mutex, withTimeout } from "@travel-booking/runtime/real-time";

test("delays double up to the maximum, each shortened by at most a half, and start again after a reset", () => {
  const backOff = new Backoff({ initialMs: 100, maxMs: 1_000 });
  for (const full of [100, 200, 400, 800, 1_000, 1_000]) {
    const pause = backOff.nextDelay();
    expect(pause).toBeGreaterThanOrEqual(full / 2);
    expect(pause).toBeLessThanOrEqual(full);
  }
  backOff.reset();
  expect(backOff.nextDelay()).toBeLessThanOrEqual(100);
});

test("a pause ends when the signal aborts", async () => {
  const abort = new AbortController();
  const pause = new Backoff({ initialMs: 3_600_000, maxMs: 3_600_000 }).pause(abort.signal);
  abort.abort();
  await pause;
});

describe("retries for a limited time", () => {
  const machine = () => {
    const time = {
      at: 0,
      now: () => time.at,
      pause: async (milliseconds: number) => {
        time.at += milliseconds;
      },
    };
    return time;
  };

  test("end when it is over", async () => {
    const time = machine();
    const backoff = new BoundedBackoff(time, 1_000);
    let retries = 0;
    while (await backoff.pause()) retries += 1;
    expect([retries, time.at]).toStrictEqual([4, 750]);
  });

  test("count no time that the process was stopped: it tries once more after that", async () => {
    const time = machine();
    const backoff = new BoundedBackoff(time, 1_000);
    await backoff.pause();
    time.at += 40_000;
    expect(await backoff.pause()).toBe(true);
    time.at += 40_000;
    expect(await backoff.pause()).toBe(false);
  });
});

test("one piece of work at a time, in order, also after a failure", async () => {
  const exclusive = new Mutex();
  const steps: string[] = [];
  const work = (name: string, fails = false) =>
    exclusive.runExclusive(async () => {
      steps.push(`${name} begins`);
      await Promise.resolve();
      steps.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    });
  const outcomes = await Promise.allSettled([work("first"), work("second", true), work("third")]);
  expect(outcomes).toStrictEqual([
    { status: "fulfilled", value: "first" },
    { status: "rejected", reason: new Error("second") },
    { status: "fulfilled", value: "third" },
  ]);
  expect(steps).toStrictEqual([
    "first begins",
    "first ends",
    "second begins",
    "second ends",
    "third begins",
    "third ends",
  ]);
});

const late = () => new Error("late");
const never = new Promise<never>(() => undefined);

test("a result, a failure, and a time-out", async () => {
  expect(await withTimeout(Promise.resolve(1), 10_000, late)).toBe(1);
  await expect(withTimeout(Promise.reject(new Error("no")), 10_000, late)).rejects.toStrictEqual(new Error("no"));
  await expect(withTimeout(never, 1, late)).rejects.toStrictEqual(new Error("late"));
});

test("a result that arrived while this thread was busy is in time", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  const accepted = once(server, "connection");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const [other] = (await accepted) as [Socket];
  const answer = withTimeout(once(socket, "data"), 20, late);
  other.end("answer");
  const busyUntil = performance.now() + 60;
  while (performance.now() < busyUntil);
  expect(String((await answer)[0])).toBe("answer");
  server.close();
});
