import { setImmediate } from "node:timers/promises";
import { beforeEach, expect, test } from "@jest/globals";
import { LiveGenerations } from "../../../src/read-store/mongodb/live-generations.ts";
import type { ProjectionRecord } from "../../../src/read-store/mongodb/projection-records.ts";

/** A server whose answers are given by hand. */
class Server {
  readonly asked: ((records: readonly ProjectionRecord[] | Error) => void)[] = [];

  all(): Promise<readonly ProjectionRecord[]> {
    return new Promise((resolve, reject) => {
      this.asked.push((answer) => (answer instanceof Error ? reject(answer) : resolve(answer)));
    });
  }
}

/** Generations 1 to `last` exist under their own numbers as ids, where they are not gone already. */
function record(live: number, checkpoint: bigint, { last = live, first = 1 } = {}): ProjectionRecord {
  const numbers = Array.from({ length: last - first + 1 }, (_, n) => first + n);
  const generations = numbers.map((id) => [id, { id, version: 1, checkpoint: id === live ? checkpoint : 0n }]);
  return { _id: "p", live, last, generations: Object.fromEntries(generations) };
}

let server: Server;
let live: LiveGenerations;
beforeEach(() => {
  server = new Server();
  live = new LiveGenerations(server);
});

async function hear(answer: ProjectionRecord | undefined): Promise<void> {
  const reloading = live.reload();
  server.asked.at(-1)?.(answer === undefined ? [] : [answer]);
  await reloading;
}

test("the server is asked once for all who ask meanwhile, and not again for those who ask soon after", async () => {
  const asking = [live.fresh("p"), live.fresh("p"), live.fresh("other")];
  server.asked[0]?.([record(1, 5n)]);
  expect(await Promise.all(asking)).toStrictEqual([{ id: 1, checkpoint: 5n }, { id: 1, checkpoint: 5n }, undefined]);
  expect(await live.fresh("p")).toStrictEqual({ id: 1, checkpoint: 5n });
  expect(server.asked).toHaveLength(1);
});

test("after a refresh, an answer to a question from before is not enough", async () => {
  const before = live.fresh("p");
  live.refresh();
  const after = live.fresh("p");
  server.asked[0]?.([record(1, 5n)]);
  expect(await before).toMatchObject({ id: 1 });
  await setImmediate();
  server.asked[1]?.([record(2, 6n)]);
  expect(await after).toStrictEqual({ id: 2, checkpoint: 6n });
});

test("a reload asks after it was called, and never twice at once", async () => {
  const [first, second, third] = [live.reload(), live.reload(), live.reload()];
  expect(server.asked).toHaveLength(1);
  server.asked[0]?.([record(1, 5n)]);
  await first;
  await setImmediate();
  expect(server.asked).toHaveLength(2);
  server.asked[1]?.([record(1, 6n)]);
  await Promise.all([second, third]);
  expect(server.asked).toHaveLength(2);
  expect(live.cached("p")?.checkpoint).toBe(6n);
});

test("a question that fails fails for all who asked it, and the next is asked anew", async () => {
  const asking = [live.fresh("p"), live.fresh("p")];
  const waiting = live.reload();
  server.asked[0]?.(new Error("gone"));
  for (const asked of asking) await expect(asked).rejects.toThrow("gone");
  await setImmediate();
  server.asked[1]?.([record(1, 5n)]);
  await waiting;
  expect(live.cached("p")).toStrictEqual({ id: 1, checkpoint: 5n });
});

test("a server that is behind is not believed, as long as what is known can still be there", async () => {
  await hear(record(2, 9n));
  await hear(record(1, 7n, { last: 2 }));
  expect(live.cached("p")).toStrictEqual({ id: 2, checkpoint: 9n });
  await hear(record(3, 10n));
  expect(live.cached("p")).toStrictEqual({ id: 3, checkpoint: 10n });
});

test("what was forgotten and built anew is believed", async () => {
  await hear(record(7, 99n, { first: 7 }));
  await hear(record(1, 3n));
  expect(live.cached("p")).toStrictEqual({ id: 1, checkpoint: 3n });
  await hear(undefined);
  expect(live.cached("p")).toBeUndefined();
});

test("before the first switch nothing is live", async () => {
  await hear({ ...record(1, 5n), live: null });
  expect(live.cached("p")).toBeUndefined();
});

test("listeners hear of each answer until they end that", async () => {
  let heard = 0;
  const end = live.onLoaded(() => heard++);
  await hear(record(1, 5n));
  await hear(record(1, 5n));
  end();
  await hear(record(1, 5n));
  expect(heard).toBe(2);
});
