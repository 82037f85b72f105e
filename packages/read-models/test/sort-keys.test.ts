import { describe, expect, test } from "@jest/globals";
import { idOfOwnedKey, ownedKey, revisionSortKey, timeSortKey } from "../src/index.ts";

describe("sort keys", () => {
  test("sort as text in the order of their values", () => {
    const inOrder = [
      timeSortKey(0),
      timeSortKey(999),
      timeSortKey(999, "A"),
      timeSortKey(999, "B"),
      timeSortKey(1_000),
      timeSortKey(Date.UTC(2027, 0), "A"),
      timeSortKey(Date.parse("9999-12-31T23:59:59.999Z")),
    ];
    expect([...inOrder].sort()).toStrictEqual(inOrder);
    const revisions = [2, 10].map((revision) => timeSortKey(5, revisionSortKey(revision)));
    expect([...revisions].sort()).toStrictEqual(revisions);
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
});
