import { afterEach, expect, jest, test } from "@jest/globals";
import { CircuitBreaker } from "../../src/redis/circuit-breaker.ts";
import { openRedis, type RedisUnavailable } from "../../src/redis/index.ts";
import { ProblemReporter } from "../../src/redis/problems.ts";
import { parseRedisAddress } from "../../src/redis/settings.ts";

const reporter = (problems: RedisUnavailable[]) => new ProblemReporter((problem) => problems.push(problem), "s3cret");

test.each([
  [new Error("connect ECONNREFUSED 127.0.0.1:1"), "connect ECONNREFUSED 127.0.0.1:1"],
  [
    new Error("ERR unknown command `hello`, with args beginning with: `3`, `AUTH`, `s3cret`"),
    "ERR unknown command `hello`",
  ],
  [new Error("what is s3cret?"), "what is …?"],
  [
    new AggregateError([new Error("refused ::1"), new Error("refused 127.0.0.1")], ""),
    "refused ::1; refused 127.0.0.1",
  ],
  ["s3cret", "no reason given"],
])("%s", (error, said) => {
  const { name, message, cause } = reporter([]).describe("no connection", error);
  expect([name, message, cause]).toStrictEqual(["RedisUnavailable", `Redis: no connection: ${said}`, undefined]);
});

test.each([
  ["redis://localhost", { host: "localhost", port: 6379, db: 0 }],
  ["redis://127.0.0.1:7000/", { host: "127.0.0.1", port: 7000, db: 0 }],
  ["redis://[::1]:7000/3", { host: "::1", port: 7000, db: 3 }],
  ["redis://:p%40ss@h", { host: "h", port: 6379, db: 0, password: "p@ss" }],
  ["redis://me:100%@h", { host: "h", port: 6379, db: 0, username: "me", password: "100%" }],
  ["rediss://me:pass@h:1", { host: "h", port: 1, db: 0, username: "me", password: "pass", tls: {} }],
])("%s", (url, address) => {
  expect(parseRedisAddress(url)).toStrictEqual(address);
});

test.each([
  "",
  "h:6379",
  "me:secret@h:1",
  "http://me:secret@h",
  "redis://",
  "redis://:secret@h:99999",
  "redis:secret@h",
])("%j is no address, and is not repeated", (url) => {
  const message = "not the address of a Redis: redis://host:port or rediss://host:port";
  expect(() => openRedis(url)).toThrow(new TypeError(message));
});

test("a path that is no database", () => {
  const message = "the path of a Redis address is the number of a database";
  expect(() => openRedis("redis://:secret@h/one")).toThrow(new TypeError(message));
});

test("each reason of an outage is told once, and of thousands each, with no memory of all of them", () => {
  const told: RedisUnavailable[] = [];
  const problems = reporter(told);
  const report = (kind: string) => problems.report("no connection", new Error(kind));
  for (let time = 0; time < 5; time += 1) for (const kind of ["a", "b"]) report(kind);
  expect(told.map(({ message }) => message)).toStrictEqual(["Redis: no connection: a", "Redis: no connection: b"]);
  expect(problems.latest?.message).toBe("Redis: no connection: b");
  problems.resolve();
  expect(problems.latest).toBeUndefined();
  report("a");
  expect(told.length).toBe(3);
  for (let kind = 0; kind < 1_000; kind += 1) report(`kind ${kind}`);
  expect(told.length).toBe(1_003);
  problems.mute();
  report("c");
  expect(told.length).toBe(1_003);
});

/** A Redis that failed is left alone for so long. */
const A_SECOND = 1_000;

afterEach(() => {
  jest.restoreAllMocks();
});

function circuit(deadlineMs: number) {
  const problems: RedisUnavailable[] = [];
  const time = { passed: 0 };
  jest.spyOn(performance, "now").mockImplementation(() => time.passed);
  return { problems, time, circuit: new CircuitBreaker(reporter(problems), deadlineMs) };
}

const messageOf = (failing: Promise<unknown>) =>
  failing.then(String, (error: Error) => `${error.name}: ${error.message}`);
const hanging = () => new Promise<never>(() => undefined);

test("after a failure only one looks whether Redis is back, and not at once", async () => {
  const { circuit: way, problems, time } = circuit(5);
  const late = "RedisUnavailable: Redis: a command failed: no answer within 5 ms";
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
  await messageOf(way.run(hanging));
  expect(problems.length).toBe(2);
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
