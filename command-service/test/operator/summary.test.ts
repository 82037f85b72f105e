import { expect, test } from "@jest/globals";
import { DAY, type DueTask, HOUR } from "@travel-booking/domain";
import type { PageRequest, ReadModels } from "@travel-booking/engines/read-store";
import { BOOKINGS, FLIGHTS } from "@travel-booking/read-models";
import { toDo } from "../../src/operator/summary.ts";

const NOW = Date.parse("2027-01-03T10:00:00Z");
const refund = (status: string, age: number) => ({ status, createdAt: new Date(NOW - age).toISOString() });
const disruption = (status: string, age: number, ...stuck: readonly string[]) => ({ status, at: NOW - age, stuck });
const running = [disruption("running", HOUR), disruption("running", HOUR + 1), disruption("paused", 1)];
const ROWS: Readonly<Record<string, readonly object[]>> = {
  [`${BOOKINGS.refund.model} oldest`]: [
    refund("failed", 1),
    refund("pending", 14 * DAY + 1),
    refund("pending", 14 * DAY),
    refund("failed", 30 * DAY),
  ],
  [`${FLIGHTS.disruption.model} open`]: running,
  [`${FLIGHTS.disruption.model} newest`]: [...running, disruption("ended", 9), disruption("ended", 9, "bkg_1")],
};
const task = (kind: DueTask["kind"], dueAt: number) => ({
  key: `${kind} ${dueAt}`,
  task: { kind, bookingId: `bkg_${dueAt - NOW}`, dueAt } as DueTask,
});
const TASKS = [
  task("assign_seats", NOW - HOUR - 1),
  task("assign_seats", NOW - HOUR),
  task("expire_hold", NOW),
  task("assign_seats", NOW + DAY),
  task("assign_seats", NOW + DAY + 1),
];

test("what an operator has to act on is counted", async () => {
  const asked: number[] = [];
  const models = {
    page: async (model: string, { index, limit }: PageRequest) => {
      asked.push(limit);
      return (ROWS[`${model} ${index}`] ?? []).map((row) => ({ json: JSON.stringify(row) }));
    },
  } as unknown as ReadModels;
  const list = { dueBy: async (now: number) => TASKS.filter(({ task: { dueAt } }) => dueAt <= now) };
  expect(await toDo({ models, list, now: NOW })).toStrictEqual({
    refundsPending: 2,
    refundsStuck: 1,
    refundsFailed: 2,
    disruptionsHanging: 3,
    partiesWithoutSeats: 3,
    partiesUnseated: 1,
    unseated: [`bkg_${-HOUR - 1}`],
  });
  expect(asked).toStrictEqual([1_000, 1_000, 1_000]);
});
