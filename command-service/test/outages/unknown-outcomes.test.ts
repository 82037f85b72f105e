import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "@jest/globals";
import { commandRoutes } from "../../src/index.ts";
import { Service } from "../support/service.ts";
import type { Outage } from "./failing-event-store.ts";
import { SCENARIO_CASES, SCENARIOS, type Scenario } from "./scenarios.ts";
import { World } from "./world.ts";

const OUTAGES: readonly Outage[] = ["out of reach", "append lost", "answer lost"];

test("every operation that writes is among the scenarios", async () => {
  const { services } = await Service.start();
  const operations = commandRoutes(services).map(({ operation }) => operation.id);
  expect(Object.keys(SCENARIOS).sort()).toStrictEqual(operations.sort());
});

/** What a healthy store makes of the request. Asked for by every test of a scenario, and found out once. */
function healthyStore(singleWriter: boolean) {
  const known = new Map<Scenario, ReturnType<typeof healthy>>();
  return (scenario: Scenario) => {
    const answer = known.get(scenario) ?? healthy(scenario, singleWriter);
    known.set(scenario, answer);
    return answer;
  };
}

async function healthy(scenario: Scenario, singleWriter: boolean) {
  const world = await World.prepare(scenario, singleWriter);
  const { status } = await world.request("key");
  const { appends, reads } = world.store;
  await world.runDueTasks();
  expect(status).toBeLessThan(300);
  return { status, appends, reads, types: await world.eventTypes() };
}

describe.each([
  ["the only writer of its store", true],
  ["one of several writers", false],
])("a request of a service that is %s, when the store fails", (_, singleWriter) => {
  const healthyOne = healthyStore(singleWriter);

  test.each(SCENARIO_CASES)(
    "%s: a read that fails: 503 where nothing is stored, else it is made up for",
    async (_, scenario) => {
      const { status, reads } = await healthyOne(scenario);
      for (let read = 0; read < reads; read += 1) {
        const world = await World.prepare(scenario, singleWriter);
        const before = await world.eventTypes();
        world.store.failRead(read);
        const answer = await world.request("key");
        // What is still under way comes to its end.
        await setImmediate();
        const stored = (await world.eventTypes()).length - before.length;
        const isTrue = answer.status === status || (answer.status === 503 && stored === 0);
        expect([read, answer.status, stored, isTrue]).toStrictEqual([read, answer.status, stored, true]);
      }
    },
  );

  test.each(SCENARIO_CASES)("%s: one failure after the first step is made up for", async (_, scenario) => {
    const { status, appends, types } = await healthyOne(scenario);
    for (const outage of OUTAGES) {
      for (let step = outage === "out of reach" ? 1 : 0; step < appends; step += 1) {
        const world = await World.prepare(scenario, singleWriter);
        world.store.failFrom(step, outage, 1);
        expect([outage, step, (await world.request()).status]).toStrictEqual([outage, step, status]);
        await world.runDueTasks();
        expect([outage, step, await world.eventTypes()]).toStrictEqual([outage, step, types]);
      }
    }
  });

  test.each(SCENARIO_CASES)("%s: the same key gets the outcome, and nothing happens twice", async (_, scenario) => {
    const { status, appends, types } = await healthyOne(scenario);
    for (const outage of OUTAGES) {
      for (let step = 0; step < appends; step += 1) {
        const world = await World.prepare(scenario, singleWriter);
        world.store.failFrom(step, outage);
        await world.request("key");
        world.store.recover();
        expect([outage, step, (await world.request("key")).status]).toStrictEqual([outage, step, status]);
        await world.runDueTasks();
        expect([outage, step, await world.eventTypes()]).toStrictEqual([outage, step, types]);
        await world.expectNothingAstray();
      }
    }
  });

  test.each(SCENARIO_CASES)("%s: the same key gets the outcome past a read that fails", async (_, scenario) => {
    const { status, appends, reads } = await healthyOne(scenario);
    for (let read = 0; read < reads; read += 1) {
      const world = await World.prepare(scenario, singleWriter);
      world.store.failFrom(appends - 1, "answer lost");
      await world.request("key");
      world.store.failRead(read);
      expect([read, (await world.request("key")).status]).toStrictEqual([read, status]);
    }
  });

  test.each(SCENARIO_CASES)(
    "%s: 503 only before the first step, then the truth or 500; nobody asking again, nothing is left behind; asked later, it is done",
    async (_, scenario) => {
      const { status, appends } = await healthyOne(scenario);
      for (const outage of OUTAGES) {
        for (let step = 0; step < appends; step += 1) {
          for (const key of ["key", undefined]) {
            const world = await World.prepare(scenario, singleWriter);
            world.store.failFrom(step, outage);
            const answer = await world.request(key);
            const retryAfter = answer.headers?.["Retry-After"];
            const isTrue =
              step === 0 && outage === "out of reach"
                ? answer.status === 503 && retryAfter !== undefined
                : (answer.status === 500 && retryAfter !== undefined) || (answer.status === status && step > 0);
            const told = [outage, step, key, answer.status, retryAfter];
            expect([...told, isTrue]).toStrictEqual([...told, true]);
            world.store.recover();
            await world.runDueTasks();
            await world.expectNothingAstray();
            const again = await world.request(key);
            // Without a key it is another request, and the first may have been carried out.
            const isRefused = key === undefined && [404, 409, 422].includes(again.status);
            if (!isRefused) expect([outage, step, key, again.status]).toStrictEqual([outage, step, key, status]);
            await world.runDueTasks();
            await world.expectNothingAstray();
          }
        }
      }
    },
  );
});

test.each(SCENARIO_CASES)("%s: what the store never takes is 400, and nothing of it stays", async (_, scenario) => {
  const { status, appends } = await healthy(scenario, false);
  for (let step = 0; step < appends; step += 1) {
    const world = await World.prepare(scenario, false);
    world.store.failFrom(step, "too large", 1);
    const answer = await world.request("key");
    // A step that only follows from the decision never grows with the request.
    if (answer.status === 400) await world.expectNothingAstray();
    else expect([status, 500]).toContain(answer.status);
    await world.runDueTasks();
    await world.expectNothingAstray();
    expect([step, (await world.request("key")).status]).toStrictEqual([step, status]);
  }
});
