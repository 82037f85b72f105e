import { describe, expect, test } from "@jest/globals";
import {
  departureSortKey,
  idOfOwnedKey,
  momentSortKey,
  ownedKey,
  timeSortKey,
  transferReferenceKey,
} from "../src/index.ts";

describe("sort keys", () => {
  test("sort as text in the order of their values", () => {
    const inOrder = [
      departureSortKey(0),
      departureSortKey(999),
      departureSortKey(999, "A"),
      departureSortKey(999, "B"),
      departureSortKey(1_000),
      departureSortKey(Date.UTC(2027, 0), "A"),
      departureSortKey(Date.parse("9999-12-31T23:59:59.999Z")),
    ];
    expect([...inOrder].sort()).toStrictEqual(inOrder);
    const versions = [
      momentSortKey(5, 2),
      momentSortKey(5, 10),
      timeSortKey(6),
      momentSortKey(6, 1),
      momentSortKey(10, 0),
    ];
    expect([...versions].sort()).toStrictEqual(versions);
  });

  test("earlier moments count as the epoch", () => {
    expect(timeSortKey(Date.parse("0001-01-01"))).toBe(timeSortKey(0));
  });
});

describe("keys", () => {
  test("of owned documents contain the account", () => {
    expect(ownedKey("acc_1", "bkg_2")).toBe("acc_1/bkg_2");
    expect(idOfOwnedKey("acc_1/bkg_2")).toBe("bkg_2");
  });

  test("of a reference are the same for all of its spellings", () => {
    expect(transferReferenceKey("rf18 5390 0754 7034")).toBe(transferReferenceKey("RF18539007547034"));
  });
});
