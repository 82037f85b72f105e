import { expect, test } from "@jest/globals";
import { WriteQueue } from "../../src/lmdb/write-queue.ts";

/** Stands for an environment: transactions end when they are told to. */
function scripted() {
  const begun: { readonly end: (error?: Error) => void }[] = [];
  const written: string[][] = [];
  const queue = new WriteQueue(
    () =>
      ({
        batch(write: () => void) {
          const { promise, resolve, reject } = Promise.withResolvers<boolean>();
          written.push([]);
          write();
          begun.push({ end: (error) => (error === undefined ? resolve(true) : reject(error)) });
          return promise;
        },
      }) as never,
  );
  const put = (name: string) => queue.commit(() => void written.at(-1)?.push(name));
  /** Resolves when whatever was to begin has begun. */
  const turn = () => new Promise(setImmediate).then(() => new Promise(setImmediate));
  return { queue, put, turn, begun, written };
}

test("writes of one turn share a transaction, and those that come during it share the next one", async () => {
  const { put, turn, begun, written } = scripted();
  const first = [put("a"), put("b")];
  await turn();
  const second = [put("c"), put("d")];
  await turn();
  expect(written).toStrictEqual([["a", "b"]]);
  begun[0]?.end();
  await Promise.all(first);
  await turn();
  expect(written).toStrictEqual([
    ["a", "b"],
    ["c", "d"],
  ]);
  begun[1]?.end();
  await Promise.all(second);
});

test("after a failure nothing is written any more, neither what waits nor what comes later", async () => {
  const { queue, put, turn, begun, written } = scripted();
  const failed = put("a");
  await turn();
  const waiting = put("b");
  const full = new Error("ENOSPC");
  begun[0]?.end(full);
  await expect(failed).rejects.toBe(full);
  await expect(waiting).rejects.toBe(full);
  await expect(put("c")).rejects.toBe(full);
  await queue.finished();
  expect(written).toStrictEqual([["a"]]);
});
