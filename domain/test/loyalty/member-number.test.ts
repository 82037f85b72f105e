import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { isMemberNumber, memberNumberOf } from "../../src/index.ts";

describe("a member number", () => {
  test("is the same for the same account, printable, short enough for a boarding pass", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (accountId) => {
        const number = memberNumberOf(accountId);
        expect(number).toMatch(/^TB[0-9A-Z]{13}$/);
        expect(number).toBe(memberNumberOf(accountId));
        expect(isMemberNumber(number)).toBe(true);
      }),
    );
    expect(memberNumberOf("acc_0190f3c0000070008000000000000000")).toBe(
      memberNumberOf("acc_0190f3c0000070008000000000000000"),
    );
  });

  test("does not survive a wrong character, nor two neighbours changing places", () => {
    const number = memberNumberOf("acc_1");
    for (let place = 2; place < number.length; place += 1) {
      for (const character of "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
        const wrong = number.slice(0, place) + character + number.slice(place + 1);
        if (wrong !== number) expect(isMemberNumber(wrong)).toBe(false);
      }
    }
    expect(isMemberNumber("RF0000000000000")).toBe(false);
  });

  test("differs from account to account", () => {
    const numbers = Array.from({ length: 10_000 }, (_, index) => memberNumberOf(`acc_${index}`));
    expect(new Set(numbers).size).toBe(numbers.length);
  });
});
