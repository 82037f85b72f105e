import { describe, expect, test } from "@jest/globals";
import { departureSort, idOfOwnedKey, ownedKey, timeSort, transferReferenceKey, versionSort } from "../src/index.ts";

describe("places in lists", () => {
  test("sort as text as what they stand for does", () => {
    const inOrder = [
      departureSort(0),
      departureSort(999),
      departureSort(999, "A"),
      departureSort(999, "B"),
      departureSort(1_000),
      departureSort(Date.UTC(2027, 0), "A"),
      departureSort(Date.parse("9999-12-31T23:59:59.999Z")),
    ];
    expect([...inOrder].sort()).toStrictEqual(inOrder);
    const versions = [versionSort(5, 2), versionSort(5, 10), timeSort(6), versionSort(6, 1), versionSort(10, 0)];
    expect([...versions].sort()).toStrictEqual(versions);
  });

  test("before the epoch there is nothing", () => {
    expect(timeSort(Date.parse("0001-01-01"))).toBe(timeSort(0));
  });
});

describe("keys", () => {
  test("of what an account owns carry the account", () => {
    expect(ownedKey("acc_1", "bkg_2")).toBe("acc_1/bkg_2");
    expect(idOfOwnedKey("acc_1/bkg_2")).toBe("bkg_2");
  });

  test("of a reference do not depend on how a person wrote it", () => {
    expect(transferReferenceKey("rf18 5390 0754 7034")).toBe(transferReferenceKey("RF18539007547034"));
  });
});
