import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { Circuit, type RedisConnection, type RedisUnavailable } from "@travel-booking/redis-connection";

function circuit(deadlineMs: number) {
  const server = { runId: "a" as string | undefined };
  const redis = { runId: () => server.runId } as RedisConnection;
  const problems: RedisUnavailable[] = [];
  return {
    server,
    problems,
    circuit: new Circuit({ redis, deadlineMs, onProblem: (problem) => problems.push(problem) }),
  };
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
  const { circuit: way, problems } = circuit(5);
  const late = "RedisUnavailable: Redis did not answer within 5 ms";
  expect(await messageOf(way.run(hanging))).toBe(late);
  let sent = 0;
  const answered = async () => {
    sent += 1;
    return sent;
  };
  const failures: string[] = [];
  let answer = await messageOf(way.run(answered));
  for (; answer !== "1"; answer = await messageOf(way.run(answered))) {
    failures.push(answer);
    await pause(20);
  }
  expect([new Set(failures), sent]).toStrictEqual([new Set([late]), 1]);
  expect(await Promise.all([way.run(answered), way.run(answered)])).toStrictEqual([2, 3]);
  expect(problems.length).toBe(1);
});

test("while one looks, the others do not wait for it", async () => {
  const { circuit: way } = circuit(10_000);
  await messageOf(way.run(() => Promise.reject(new Error("no"))));
  const probe = Promise.withResolvers<number>();
  let sent = false;
  const send = () => {
    sent = true;
    return probe.promise;
  };
  let looking = messageOf(way.run(send));
  while (!sent) {
    await pause(20);
    looking = messageOf(way.run(send));
  }
  expect(await messageOf(way.run(async () => 1))).toBe("RedisUnavailable: Redis: a command failed: no");
  probe.resolve(2);
  expect([await looking, await way.run(async () => 3)]).toStrictEqual(["2", 3]);
});
