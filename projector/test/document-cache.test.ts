import { beforeEach, describe, expect, test } from "@jest/globals";
import type { Document, Write } from "@travel-booking/engines/read-store";
import { DocumentCache } from "../src/document-cache.ts";
import type { Change } from "../src/projection.ts";

const SHOWN = "p.shown";
const WHOLE = "p.whole";

const at = (sort: string): Document["indexes"] => ({ list: { partition: "all", sort } });

const FETCHED: Omit<Document, "key"> = {
  position: 0n,
  created: 0n,
  body: null,
  state: {},
  indexes: {},
  staleAt: null,
};

let cache: DocumentCache;
beforeEach(() => {
  cache = new DocumentCache(
    {
      [SHOWN]: { fixedIndexes: true, represent: (state: string) => ({ body: state, indexes: at(state) }) },
      [WHOLE]: { fixedIndexes: true },
    },
    0n,
  );
  cache.putFetched(SHOWN, "a", undefined);
});

const shown = (state: string): Change => ({ kind: "put", model: SHOWN, key: "a", state });
const removed: Change = { kind: "delete", model: SHOWN, key: "a" };
const NO_PERSON = { keyId: undefined, foundBy: undefined };
const put = (position: bigint, created: bigint, state: string): Write => {
  const document = { key: "a", position, created, body: state, state, indexes: at(state), staleAt: null, ...NO_PERSON };
  return { kind: "put", model: SHOWN, document, fixedIndexes: true };
};
const remove = (position: bigint, created: bigint, sort: string): Write => {
  return { ...removed, position, fixed: { created, indexes: at(sort) } } as Write;
};

test("a document with a state keeps when it was created, one without is made anew", () => {
  for (const [position, state] of [
    [1n, "x"],
    [2n, "y"],
  ] as const) {
    cache.apply(position, shown(state));
    cache.apply(position, { kind: "put", model: WHOLE, key: "w", body: "{}", indexes: at("w") });
  }
  const place = { body: "{}", state: null, indexes: at("w"), staleAt: null };
  const document = { key: "w", position: 2n, created: 2n, ...place, ...NO_PERSON };
  expect(cache.takeWrites()).toStrictEqual([
    put(2n, 1n, "y"),
    { kind: "put", model: WHOLE, document, fixedIndexes: true },
  ]);
});

describe("of written documents", () => {
  const KEYS = Array.from({ length: 2_000 }, (_, index) => `k${index}`);
  const put = (key: string): Change => ({ kind: "put", model: WHOLE, key, state: {} });
  const cached = () => KEYS.filter((key) => cache.has(WHOLE, key)).length;

  test("five hundred to a thousand stay cached", () => {
    for (const [index, key] of KEYS.entries()) {
      cache.apply(BigInt(index + 1), put(key));
      cache.takeWrites();
    }
    expect(cached()).toBeGreaterThanOrEqual(500);
    expect(cached()).toBeLessThanOrEqual(1_024);
    expect(cache.has(WHOLE, "k1999")).toBe(true);
  });

  test("fewer, where they are large: as they were read, or because of what was folded in since", () => {
    for (const [index, key] of KEYS.entries()) {
      cache.putFetched(WHOLE, key, { ...FETCHED, key, size: 500_000 });
      cache.takeWrites();
      cache.apply(BigInt(index + 1), put(key), undefined, 500_000);
      cache.takeWrites();
    }
    // Of 8 MiB, twice.
    expect(cached()).toBeGreaterThanOrEqual(8);
    expect(cached()).toBeLessThanOrEqual(20);
  });

  test("one that grows all the time drops no others that are used as often", () => {
    cache.putFetched(WHOLE, "k0", undefined);
    for (let position = 1n; position < 1_000n; position += 1n) {
      cache.apply(position, put("k1"), undefined, 10_000);
      cache.apply(position, put("k0"));
      cache.takeWrites();
      expect([cache.has(WHOLE, "k0"), cache.has(WHOLE, "k1")]).toStrictEqual([true, true]);
    }
  });
});

describe("documents with fixed indexes", () => {
  test("one that is made anew is deleted from its old place first", () => {
    cache.apply(1n, shown("x"));
    cache.takeWrites();
    cache.apply(2n, removed);
    cache.apply(3n, shown("y"));
    cache.apply(4n, removed);
    cache.apply(5n, shown("z"));
    expect(cache.takeWrites()).toStrictEqual([remove(2n, 1n, "x"), put(5n, 5n, "z")]);
  });

  test("the delete of one that is not there changes nothing", () => {
    cache.apply(1n, removed);
    expect(cache.takeWrites()).toStrictEqual([]);
  });

  test("one that is deleted must have been read", () => {
    expect(() => cache.apply(1n, { kind: "delete", model: SHOWN, key: "b" })).toThrow("was not named by `reads`");
  });
});
