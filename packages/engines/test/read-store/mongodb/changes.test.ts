import { expect, test } from "@jest/globals";
import type { Write } from "../../../src/read-store/index.ts";
import { changesOf, chunksOf, toStoredChanges } from "../../../src/read-store/mongodb/redo-log.ts";
import { keyOf, positionOf } from "../../../src/read-store/mongodb/stored-document.ts";

function put(key: string, position: bigint, body = "{}", model = "p.m"): Write {
  return {
    kind: "put",
    model,
    document: { key, position, created: 1n, body, state: null, indexes: {}, staleAt: null },
  };
}

const end = (key: string, position: bigint): Write => ({ kind: "delete", model: "p.m", key, position });

const batch = (...writes: readonly Write[]) => ({ projection: "p", generation: 1, checkpoint: 100n, writes });

test("of several writes of one key the one with the highest position stays, in whatever order", () => {
  const changes = changesOf(
    batch(put("a", 3n), put("b", 2n), put("a", 5n), put("a", 4n), end("b", 6n), put("b", 5n)),
    0n,
  );
  expect(changes.map((write) => [write.kind, keyOf(write), positionOf(write)])).toStrictEqual([
    ["put", "a", 5n],
    ["delete", "b", 6n],
  ]);
});

test("of several at one position the first stays", () => {
  expect(changesOf(batch(put("a", 3n, "1"), put("a", 3n, "2")), 0n)).toStrictEqual([put("a", 3n, "1")]);
});

test("what is at or below the checkpoint is left out", () => {
  expect(changesOf(batch(put("a", 3n), put("b", 4n), end("c", 4n), put("d", 5n)), 4n)).toStrictEqual([put("d", 5n)]);
});

test("models stand together, and one key of two models is two documents", () => {
  const changes = changesOf(batch(put("a", 1n), put("a", 2n, "{}", "p.n"), put("b", 3n)), 0n);
  expect(changes.map((write) => [write.model, keyOf(write)])).toStrictEqual([
    ["p.m", "a"],
    ["p.m", "b"],
    ["p.n", "a"],
  ]);
});

test("pieces hold so many documents, or so many characters", () => {
  const sizes = (most: { documents: number; characters: number }, ...lengths: readonly number[]) => {
    const writes = lengths.map((length, n) => put(`k${n}`, 1n, "x".repeat(length)));
    return [...chunksOf(toStoredChanges(writes), most)].map((piece) => piece.length);
  };
  expect(sizes({ documents: 2, characters: 1_000 }, 1, 1, 1, 1, 1)).toStrictEqual([2, 2, 1]);
  expect(sizes({ documents: 9, characters: 100 }, 60, 60, 60, 200, 1)).toStrictEqual([2, 2, 1]);
  expect(sizes({ documents: 9, characters: 100 })).toStrictEqual([]);
});
