import { beforeEach, describe, expect, test } from "@jest/globals";
import type { Document } from "@travel-booking/engines/read-store";
import { DocumentCache } from "../src/document-cache.ts";
import { type Change, foldedModel, wholeDocument } from "../src/projection.ts";

const FOLDED = "p.folded";
const WHOLE = "p.whole";

const at = (sort: string): Document["indexes"] => ({ list: { partition: "all", sort } });

let cache: DocumentCache;
beforeEach(() => {
  cache = new DocumentCache(
    {
      [FOLDED]: foldedModel<string>((state) => ({ body: state, indexes: at(state), staleAt: null }), {
        fixedIndexes: true,
      }),
      [WHOLE]: { fixedIndexes: true },
    },
    0n,
  );
  cache.putFetched(FOLDED, "a", undefined);
});

function apply(position: bigint, change: Change): void {
  cache.beginEvent(position);
  cache.apply(change);
}

const fold = (state: string): Change => ({ kind: "fold", model: FOLDED, key: "a", state });
const remove = (model: string, position: bigint, created: bigint, sort: string): Change => {
  return { kind: "delete", model, key: "a", position, fixed: { created, indexes: at(sort) } };
};
const whole = (position: bigint, sort: string) => wholeDocument(WHOLE, { key: "a", position, indexes: at(sort) });

describe("documents with fixed indexes", () => {
  test("puts say so, whether folded or whole", () => {
    apply(1n, fold("x"));
    apply(1n, whole(1n, "w"));
    expect(cache.takeWrites().map((write) => write.kind === "put" && write.fixedIndexes)).toStrictEqual([true, true]);
  });

  test("one that is made anew is deleted from its old place first", () => {
    apply(1n, fold("x"));
    cache.takeWrites();
    apply(2n, remove(FOLDED, 2n, 1n, "x"));
    apply(3n, fold("y"));
    apply(4n, remove(FOLDED, 4n, 3n, "y"));
    apply(5n, fold("z"));
    const document = { key: "a", position: 5n, created: 5n, body: "z", state: "z", indexes: at("z"), staleAt: null };
    expect(cache.takeWrites()).toStrictEqual([
      remove(FOLDED, 2n, 1n, "x"),
      { kind: "put", model: FOLDED, document, fixedIndexes: true },
    ]);
  });

  test("a delete has to say its place", () => {
    apply(1n, whole(1n, "w"));
    cache.takeWrites();
    apply(2n, { kind: "delete", model: WHOLE, key: "a", position: 2n });
    expect(() => cache.takeWrites()).toThrow("a delete in p.whole does not say its index entries");
  });
});
