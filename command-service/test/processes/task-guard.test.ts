import { expect, test } from "@jest/globals";
import { InMemoryStateStore } from "@travel-booking/engines/state-store/testing";
import { ManualClock } from "@travel-booking/runtime";
import type { DueTaskEntry } from "../../src/processes/due-task-list.ts";
import { Scheduler } from "../../src/processes/scheduler.ts";
import { countPutOff, type PutOff, TaskGuard } from "../../src/processes/task-guard.ts";

const entry = (key: string): DueTaskEntry => ({
  key,
  task: { kind: "expire_hold", flightId: "F-1", holdId: key, dueAt: 0 },
});
const [GOOD, POISON, LATER] = [entry("good"), entry("poison"), entry("later")];

/** One process after another on the same state. */
class Machine {
  readonly state = new InMemoryStateStore();
  readonly told: [string, PutOff][] = [];
  now = 0;

  start(name = "own"): TaskGuard {
    const onPutOff = (task: string, putOff: PutOff) => this.told.push([task, putOff]);
    return new TaskGuard({ state: this.state, name, onPutOff, now: () => this.now });
  }

  /** A process that ends in the midst of these. */
  async endIn(entries: readonly DueTaskEntry[], name?: string): Promise<void> {
    const begun = Promise.withResolvers<void>();
    void this.start(name).watch(entries, () => {
      begun.resolve();
      return new Promise(() => undefined);
    });
    await begun.promise;
  }
}

const keys = (entries: readonly DueTaskEntry[]) => entries.map(({ key }) => key);
const sorted = async (guard: TaskGuard, ...entries: readonly DueTaskEntry[]) => {
  const { together, alone } = await guard.sort(entries);
  return [keys(together), keys(alone)];
};

test("a task in the midst of which a process has ended is put off, counted, and then runs alone", async () => {
  const machine = new Machine();
  await machine.endIn([GOOD, POISON]);
  const guard = machine.start();
  expect(await sorted(guard, GOOD, POISON, LATER)).toStrictEqual([["later"], []]);
  expect(machine.told).toStrictEqual([
    ["good", { times: 1, until: 10_000 }],
    ["poison", { times: 1, until: 10_000 }],
  ]);
  expect(keys((await guard.sort([GOOD], true)).alone)).toStrictEqual(["good"]);
  machine.now = 10_000;
  expect(await sorted(guard, GOOD, POISON, LATER)).toStrictEqual([["later"], ["good", "poison"]]);
  expect([guard.endsIn("good"), guard.endsIn("later"), await countPutOff(machine.state, machine.now)]).toStrictEqual([
    1, 0, 2,
  ]);
});

test("each further end puts it off for longer, up to an hour, and never for good", async () => {
  const machine = new Machine();
  const pauses: number[] = [];
  for (let times = 1; times <= 6; times += 1) {
    await machine.endIn([POISON]);
    await machine.start().sort([POISON]);
    pauses.push((machine.told.at(-1)?.[1].until ?? 0) - machine.now);
  }
  expect(pauses).toStrictEqual([10_000, 60_000, 600_000, 3_600_000, 3_600_000, 3_600_000]);
});

test.each([
  ["done", async () => "done"],
  ["refused", () => Promise.reject(new Error("no"))],
])("one that its process survives is put off no longer: %s", async (_, work) => {
  const machine = new Machine();
  await machine.endIn([POISON]);
  const guard = machine.start();
  await guard.sort([POISON]);
  await guard.watch([POISON], work).catch(() => undefined);
  expect(await sorted(guard, POISON)).toStrictEqual([["poison"], []]);
  expect(await sorted(machine.start(), POISON)).toStrictEqual([["poison"], []]);
  expect(await countPutOff(machine.state, machine.now)).toBe(0);
});

test("what another scheduler has under way is its own, and what it has put off is put off for all", async () => {
  const machine = new Machine();
  await machine.endIn([POISON], "leased");
  expect(await sorted(machine.start("take-over"), POISON)).toStrictEqual([["poison"], []]);
  await machine.start("leased").sort([]);
  expect(await sorted(machine.start("take-over"), POISON)).toStrictEqual([[], []]);
});

test("what can't be read at first is read again", async () => {
  const machine = new Machine();
  await machine.endIn([POISON]);
  const { list } = machine.state;
  machine.state.list = () => Promise.reject(new Error("away"));
  const guard = machine.start();
  await expect(guard.sort([POISON])).rejects.toThrow("away");
  machine.state.list = list;
  expect(await sorted(guard, POISON)).toStrictEqual([[], []]);
});

test("one that was closed otherwise counts for an hour after its pause, and is forgotten by the next process", async () => {
  const machine = new Machine();
  await machine.endIn([POISON]);
  await machine.start().sort([]);
  machine.now = 10_000 + 3_600_000;
  expect(await countPutOff(machine.state, machine.now)).toBe(1);
  machine.now += 1;
  expect(await countPutOff(machine.state, machine.now)).toBe(0);
  await machine.start().sort([]);
  expect(await machine.state.list("due_tasks_put_off", { limit: 1 })).toStrictEqual([]);
});

test("those that were put off are done one by one, and what is due besides waits for one of them alone", async () => {
  const machine = new Machine();
  await machine.endIn([GOOD, POISON]);
  const guard = machine.start();
  await guard.sort([]);
  machine.now = 10_000;
  const ran: string[] = [];
  const scheduler = new Scheduler({
    list: { dueBy: async (_, __, after) => (after === undefined ? [GOOD, POISON, LATER] : []) },
    clock: new ManualClock(0),
    run: async (task) => {
      ran.push("holdId" in task ? task.holdId : "");
      return 1n;
    },
    waitUntilListed: async () => undefined,
    onFailed: () => undefined,
    guard,
  });
  await scheduler.runDue();
  expect(ran).toStrictEqual(["later", "good"]);
});
