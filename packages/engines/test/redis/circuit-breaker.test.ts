import { expect, test } from "@jest/globals";
import { CircuitBreaker, type RedisConnection, type RedisUnavailable } from "../../src/redis/index.ts";

/** A Redis that failed is left alone for so long. */
const A_SECOND = 1_000;

function circuit(deadlineMs: number) {
  const server = { runId: "a" as string | undefined };
  const redis = { runId: () => server.runId } as RedisConnection;
  const problems: RedisUnavailable[] = [];
  const time = { passed: 0 };
  const realTime = { now: () => time.passed };
  const onProblem = (problem: RedisUnavailable) => problems.push(problem);
  return { server, problems, time, circuit: new CircuitBreaker({ redis, deadlineMs, onProblem, realTime }) };
}

const messageOf = (failing: Promise<unknown>) =>
  failing.then(String, (error: Error) => `${error.name}: ${error.message}`);
const hanging = () => new Promise<never>(() => undefined);

test("a command gets an answer, and is told which server gives it", async () => {
  const { circuit: way, problems } = circuit(10_000);
  expect(await way.run(async (_, runId) => runId)).toBe("a");
  expect(problems).toStrictEqual([]);
});

test("nothing is sent while there is no connection; told once, and over as soon as there is one", async () => {
  const { circuit: way, server, problems } = circuit(10_000);
  server.runId = undefined;
  for (let time = 0; time < 3; time += 1) {
    expect(await messageOf(way.run(hanging))).toBe("RedisUnavailable: Redis is out of reach");
  }
  server.runId = "b";
  expect(await way.run(async () => 1)).toBe(1);
  expect(problems.length).toBe(1);
  server.runId = undefined;
  await messageOf(way.run(hanging));
  expect(problems.length).toBe(2);
});

test("after a failure only one looks whether Redis is back, and not at once", async () => {
  const { circuit: way, problems, time } = circuit(5);
  const late = "RedisUnavailable: Redis did not answer within 5 ms";
  expect(await messageOf(way.run(hanging))).toBe(late);
  let sent = 0;
  const answered = async () => {
    sent += 1;
    return sent;
  };
  time.passed += A_SECOND - 1;
  expect([await messageOf(way.run(answered)), sent]).toStrictEqual([late, 0]);
  time.passed += 1;
  expect(await way.run(answered)).toBe(1);
  expect(await Promise.all([way.run(answered), way.run(answered)])).toStrictEqual([2, 3]);
  expect(problems.length).toBe(1);
});

test("while one looks, the others do not wait for it", async () => {
  const { circuit: way, time } = circuit(10_000);
  await messageOf(way.run(() => Promise.reject(new Error("no"))));
  const probe = Promise.withResolvers<number>();
  time.passed += A_SECOND;
  const looking = messageOf(way.run(() => probe.promise));
  expect(await messageOf(way.run(async () => 1))).toBe("RedisUnavailable: Redis: a command failed: no");
  probe.resolve(2);
  expect([await looking, await way.run(async () => 3)]).toStrictEqual(["2", 3]);
});
