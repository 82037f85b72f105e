import { setImmediate } from "node:timers/promises";
import { beforeEach, expect, test } from "@jest/globals";
import type { Db } from "mongodb";
import type { MongoConnection } from "../../src/mongodb/index.ts";
import { MAX_FOLDED_CHARACTERS, type Write } from "../../src/read-store/index.ts";
import { awaitAll } from "../../src/read-store/mongodb/collections.ts";
import { LiveGenerations } from "../../src/read-store/mongodb/live-generations.ts";
import { openMongoReadStore } from "../../src/read-store/mongodb/mongo-read-store.ts";
import type { ProjectionRecord } from "../../src/read-store/mongodb/projection-records.ts";
import { changesOf, chunksOf } from "../../src/read-store/mongodb/redo-log.ts";

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
  return { _id: "p", live, generations: Object.fromEntries(generations) };
}

let server: Server;
let live: LiveGenerations;
beforeEach(() => {
  server = new Server();
  live = new LiveGenerations(server);
});

async function hear(answer: ProjectionRecord | undefined): Promise<void> {
  const reloading = live.reload();
  await setImmediate();
  server.asked.at(-1)?.(answer === undefined ? [] : [answer]);
  await reloading;
}

test("the server is asked once for all who ask meanwhile, and not again for those who ask soon after", async () => {
  const asking = [live.fresh("p"), live.fresh("p"), live.fresh("other")];
  await setImmediate();
  server.asked[0]?.([record(1, 5n)]);
  expect(await Promise.all(asking)).toStrictEqual([
    { id: 1, version: 1, checkpoint: 5n },
    { id: 1, version: 1, checkpoint: 5n },
    undefined,
  ]);
  expect(await live.fresh("p")).toStrictEqual({ id: 1, version: 1, checkpoint: 5n });
  expect(server.asked).toHaveLength(1);
});

test("after a refresh, an answer to a question from before is not enough", async () => {
  const before = live.fresh("p");
  await setImmediate();
  live.refresh();
  const after = live.fresh("p");
  server.asked[0]?.([record(1, 5n)]);
  expect(await before).toMatchObject({ id: 1 });
  await setImmediate();
  server.asked[1]?.([record(2, 6n)]);
  expect(await after).toStrictEqual({ id: 2, version: 1, checkpoint: 6n });
});

test("a reload asks after it was called, and never twice at once", async () => {
  const first = live.reload();
  await setImmediate();
  const [second, third] = [live.reload(), live.reload()];
  expect(server.asked).toHaveLength(1);
  server.asked[0]?.([record(1, 5n)]);
  await first;
  await setImmediate();
  expect(server.asked).toHaveLength(2);
  server.asked[1]?.([record(1, 6n)]);
  await Promise.all([second, third]);
  expect(server.asked).toHaveLength(2);
  expect(live.cached.get("p")?.checkpoint).toBe(6n);
});

test("a question that fails fails for all who asked it, and the next is asked anew", async () => {
  const asking = [live.fresh("p"), live.fresh("p")];
  await setImmediate();
  const waiting = live.reload();
  server.asked[0]?.(new Error("gone"));
  await Promise.all(asking.map((asked) => expect(asked).rejects.toThrow("gone")));
  await setImmediate();
  server.asked[1]?.([record(1, 5n)]);
  await waiting;
  expect(live.cached.get("p")).toStrictEqual({ id: 1, version: 1, checkpoint: 5n });
});

test("a server that is behind is not believed, as long as what is known can still be there", async () => {
  await hear(record(2, 9n));
  await hear(record(1, 7n, { last: 2 }));
  expect(live.cached.get("p")).toStrictEqual({ id: 2, version: 1, checkpoint: 9n });
  await hear(record(3, 10n));
  expect(live.cached.get("p")).toStrictEqual({ id: 3, version: 1, checkpoint: 10n });
});

test("what was forgotten and built anew is believed", async () => {
  await hear(record(7, 99n, { first: 7 }));
  await hear(record(1, 3n));
  expect(live.cached.get("p")).toStrictEqual({ id: 1, version: 1, checkpoint: 3n });
  await hear(undefined);
  expect(live.cached.get("p")).toBeUndefined();
});

test("before the first switch nothing is live", async () => {
  await hear({ ...record(1, 5n), live: null });
  expect(live.cached.get("p")).toBeUndefined();
});

function put(key: string, position: bigint, body = "{}", model = "p.m"): Write {
  return {
    kind: "put",
    model,
    document: { key, position, created: 1n, body, state: null, indexes: {}, staleAt: null },
  };
}

const end = (key: string, position: bigint): Write => ({ kind: "delete", model: "p.m", key, position });

const batch = (...writes: readonly Write[]) => ({ projection: "p", generation: 1, checkpoint: 100n, writes });

test("a put behind the delete of its document takes its place", () => {
  const changes = changesOf(batch(end("a", 3n), put("b", 2n), put("a", 3n), end("c", 4n)), 0n);
  expect(changes.map(({ stored }) => ["deleted" in stored, stored._id, stored.position])).toStrictEqual([
    [false, "a", 3n],
    [false, "b", 2n],
    [true, "c", 4n],
  ]);
});

test("what is at or below the checkpoint is left out", () => {
  const changes = changesOf(batch(put("a", 3n), put("b", 4n), end("c", 4n), put("d", 5n)), 4n);
  expect(changes.map(({ stored }) => stored._id)).toStrictEqual(["d"]);
});

test("models stand together, and one key of two models is two documents", () => {
  const changes = changesOf(batch(put("a", 1n), put("a", 2n, "{}", "p.n"), put("b", 3n)), 0n);
  expect(changes.map(({ model, stored }) => [model, stored._id])).toStrictEqual([
    ["p.m", "a"],
    ["p.m", "b"],
    ["p.n", "a"],
  ]);
});

test("pieces hold so many documents, or so many characters", () => {
  const sizes = (lengths: readonly number[]) => {
    const writes = lengths.map((length, n) => put(`k${n}`, 1n, "x".repeat(length)));
    return [...chunksOf(changesOf(batch(...writes), 0n))].map((piece) => piece.length);
  };
  expect(sizes(Array.from({ length: 1_100 }, () => 1))).toStrictEqual([500, 500, 100]);
  expect(sizes([1_200_000, 1_200_000, 1_200_000, 3_000_000, 1])).toStrictEqual([2, 2, 1]);
  expect(sizes([])).toStrictEqual([]);
});

test("a failure is told when all has come to an end", async () => {
  let isDone = false;
  const slow = setImmediate().then(() => {
    isDone = true;
  });
  await expect(awaitAll([Promise.reject(new Error("first")), slow])).rejects.toThrow("first");
  expect(isDone).toBe(true);
});

test("documents are read a second time where they are too large to be read at once, and not more often", async () => {
  const asked: number[] = [];
  const size = MAX_FOLDED_CHARACTERS / 5;
  const find = ({ _id: { $in } }: { readonly _id: { readonly $in: readonly string[] } }) => {
    asked.push($in.length);
    return $in.map((_id) => ({ _id, position: 1n, created: 1n, body: "x".repeat(size), state: "null", staleAt: null }));
  };
  const findOne = async () => record(1, 0n);
  const db = { collection: () => ({ find, findOne }) } as unknown as Db;
  const store = openMongoReadStore({ db } as MongoConnection);
  const keys = Array.from({ length: 64 }, (_, n) => `key-${n}`);
  const found = await store.documentsOf({ projection: "p", generation: 1 }, "p.model", keys);
  expect(found.map((one) => one?.key)).toStrictEqual(keys.slice(0, 5));
  expect(asked).toStrictEqual([64, 5]);
});
