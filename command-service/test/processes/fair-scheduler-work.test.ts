import { expect, test } from "@jest/globals";
import { type DueTask, dueSortKey } from "@travel-booking/domain";
import { ManualClock } from "@travel-booking/runtime";
import type { DueTaskEntry } from "../../src/processes/due-task-list.ts";
import { FairScheduler } from "../../src/processes/fair-scheduler.ts";

const REVIEWS = 20;
const PAGE = 200;

/** How many tasks are read for so many reviews, with such a backlog; the first time it is read is not counted. */
async function tasksRead(backlog: number): Promise<number> {
  const entries = Array.from({ length: backlog }, (_, index): DueTaskEntry => {
    const documentId = `doc_${String(index).padStart(8, "0")}`;
    const task: DueTask = { kind: "review_document", bookingId: "bkg_1", documentId, accountId: "acc_1", dueAt: index };
    return { key: documentId, task };
  });
  const sortKeys = entries.map(({ key, task }) => dueSortKey(task.dueAt, key));
  let read = 0;
  let done = 0;
  let counted = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  const scheduler = new FairScheduler({
    clock: new ManualClock(backlog),
    list: {
      async dueBy(_, limit, after) {
        const from = after === undefined ? done : Math.max(done, firstAfter(sortKeys, after));
        const page = entries.slice(from, from + limit);
        read += page.length;
        return page;
      },
    },
    fairnessKeyOf: () => "acc_1",
    concurrency: 1,
    async run() {
      if (done === 0) read = 0;
      done += 1;
      if (done === REVIEWS) {
        counted = read;
        resolve();
      }
      return 1n;
    },
    waitUntilListed: async () => undefined,
    onFailed: () => undefined,
  });
  const stop = new AbortController();
  const running = scheduler.runUntil(stop.signal);
  await promise;
  stop.abort();
  await running;
  return counted;
}

function firstAfter(sorted: readonly string[], key: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as string) <= key) low = middle + 1;
    else high = middle;
  }
  return low;
}

test("a review reads one page of the backlog, however long that is", async () => {
  const most = PAGE * REVIEWS;
  expect(await tasksRead(1_000)).toBeLessThanOrEqual(most);
  expect(await tasksRead(100_000)).toBeLessThanOrEqual(most);
});
