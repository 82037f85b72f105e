import { describe, expect, test } from "@jest/globals";
import { FOLLOW_UP_GRACE, isOfRequest } from "@travel-booking/domain";
import { runDueTask } from "../../src/index.ts";
import { tasksLeftBehind } from "../../src/processes/take-up.ts";
import { checkInvariants } from "../loyalty/loyalty-fixtures.ts";
import { SCENARIO_CASES, type Scenario } from "../outages/scenarios.ts";
import { ProcessCrashed } from "../support/crashable.ts";
import { checkMoney, endState, occupantsOfAllFlights } from "../support/end-state.ts";
import { party, T0 } from "../support/sample.ts";
import { ExternalSystems, Service } from "../support/service.ts";

/** A request, and a process that works on it and ends at the n-th fault point of it; false: there are fewer. */
async function died(scenario: Scenario, n: number, systems: ExternalSystems, instance?: string): Promise<boolean> {
  await Service.start(undefined, systems);
  const { operation, params = {}, body = {} } = await scenario(new Service(systems, undefined, instance));
  let reached = 0;
  const dying = new Service(
    systems,
    () => {
      reached += 1;
      if (reached === n) throw new ProcessCrashed();
    },
    instance,
  );
  return dying.call(operation, params, body).then(
    () => false,
    (error) => {
      expect(error).toBeInstanceOf(ProcessCrashed);
      return true;
    },
  );
}

async function takeUp(systems: ExternalSystems, instance?: string): Promise<void> {
  const { services } = new Service(systems);
  for (const { task } of await tasksLeftBehind(systems.dueTaskList, systems.clock, instance)) {
    await runDueTask(services, task);
  }
}

async function leftOpen(systems: ExternalSystems) {
  return (await systems.openDueTasks()).filter(isOfRequest).map(({ kind }) => kind);
}

describe("what a process left that died, at every step", () => {
  test.each(SCENARIO_CASES)("%s: it is finished or undone without any time passing", async (_, scenario) => {
    let systems = new ExternalSystems();
    for (let n = 1; await died(scenario, n, systems); n += 1, systems = new ExternalSystems()) {
      const now = systems.clock.now();
      await takeUp(systems);
      expect([n, systems.clock.now(), await leftOpen(systems)]).toStrictEqual([n, now, []]);
      // What needs no grace of its own follows on time.
      await new Service(systems).runDueTasksUntil(now + FOLLOW_UP_GRACE);
      const [{ bookings }, occupants] = [await endState(systems), await occupantsOfAllFlights(systems)];
      const owned = bookings
        .filter(({ status }) => status !== "cancelled")
        .map(({ seats }) => ({ seats, change: null }));
      expect([n, occupants.map(({ seats, change }) => ({ seats, change }))]).toStrictEqual([n, owned]);
      await checkInvariants(systems);
      await checkMoney(systems);
    }
  });

  test("the seats of a booking that was not made can be had again at once", async () => {
    const dying = await Service.start("book:allocated");
    const { systems } = dying;
    await expect(dying.book({ passengers: party(1), seats: ["10A"] })).rejects.toThrow(ProcessCrashed);
    expect((await new Service(systems).hold(["10A"])).status).toBe(409);
    await takeUp(systems);
    expect((await new Service(systems).hold(["10A"])).status).toBe(201);
    expect(systems.clock.now()).toBe(T0);
  });
});

describe("several instances", () => {
  test("what an instance left that has ended is taken up, and nothing else", async () => {
    const { systems } = await Service.start();
    for (const [instance, seat] of [
      ["one", "10A"],
      ["two", "10B"],
    ] as const) {
      const dying = new Service(systems, "book:allocated", instance);
      await expect(dying.book({ passengers: party(1), seats: [seat] })).rejects.toThrow(ProcessCrashed);
    }
    await takeUp(systems, "one");
    const { occupants } = await endState(systems);
    expect(occupants.map(({ seats }) => seats)).toStrictEqual([["10B"]]);
    expect(await leftOpen(systems)).toStrictEqual(["claim_allocation"]);
  });

  test.each(SCENARIO_CASES)("%s: whatever is begun names who began it", async (_, scenario) => {
    let systems = new ExternalSystems();
    for (let n = 1; await died(scenario, n, systems, "one"); n += 1, systems = new ExternalSystems()) {
      await takeUp(systems, "two");
      const open = (await systems.openDueTasks()).filter(isOfRequest);
      expect(open.map(({ instance }) => instance)).toStrictEqual(open.map(() => "one"));
      await takeUp(systems, "one");
      expect([n, await leftOpen(systems)]).toStrictEqual([n, []]);
    }
  });
});
