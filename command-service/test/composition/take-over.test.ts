import { expect, test } from "@jest/globals";
import { takeOver } from "../../src/composition/due-tasks.ts";
import { runDueTask } from "../../src/index.ts";
import { ProcessCrashed } from "../support/crashable.ts";
import { endState } from "../support/end-state.ts";
import { party, T0 } from "../support/sample.ts";
import { Service } from "../support/service.ts";

/** One of two processes that died while they booked has been found to have ended. */
async function setUp(isListed: () => boolean) {
  const { systems } = await Service.start();
  for (const [instance, seat] of [
    ["one", "10A"],
    ["two", "10B"],
  ] as const) {
    const dying = new Service(systems, "book:allocated", instance);
    await expect(dying.book({ passengers: party(1), seats: [seat] })).rejects.toThrow(ProcessCrashed);
  }
  const { services } = new Service(systems);
  const onEnded = takeOver({
    list: systems.dueTaskList,
    newScheduler: () => ({
      runNow: async (entries) => {
        for (const { task } of entries) await runDueTask(services, task);
        return entries.length;
      },
    }),
    clock: systems.clock,
    progress: { waitUntil: async () => isListed() },
    events: systems.store,
  });
  const taken = async () => (await endState(systems)).occupants.map(({ seats }) => seats);
  return { takeOver: () => onEnded("one"), taken, clock: systems.clock };
}

test("what an instance has left that has ended is undone at once; what another has begun stays", async () => {
  const { takeOver, taken, clock } = await setUp(() => true);
  await takeOver();
  expect([await taken(), clock.now()]).toStrictEqual([[["10B"]], T0]);
});

test("while the list may lack what the instance wrote last, nothing is taken over, and it is tried again", async () => {
  let listed = false;
  const { takeOver, taken } = await setUp(() => listed);
  await expect(takeOver()).rejects.toThrow("the list of due tasks is behind the log");
  expect(await taken()).toStrictEqual([["10A"], ["10B"]]);
  listed = true;
  await takeOver();
  expect(await taken()).toStrictEqual([["10B"]]);
});
