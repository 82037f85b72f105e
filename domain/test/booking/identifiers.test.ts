import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import {
  automaticRefundId,
  bookingIdOfPayment,
  bookingIdOfRefund,
  bookingIdOfReturn,
  creditorReference,
  isCreditorReference,
  paymentIdOf,
  referencesIn,
  refundIdOf,
  returnIdOf,
} from "../../src/index.ts";
import { BOOKING } from "./fixtures.ts";

const DIGITS = BOOKING.slice(4);
const COMMAND = "0190c2f4-1111-7222-8333-a1b2c3d4e5f6";

describe("ids that carry their booking", () => {
  test("are made of its digits and the command's last ones", () => {
    const paymentId = paymentIdOf(BOOKING, COMMAND);
    expect(paymentId).toBe(`pay_${DIGITS}a1b2c3d4e5f6`);
    expect(refundIdOf(paymentId, "00000000-0000-4000-8000-0000000000ff")).toBe(`rfd_${DIGITS}0000000000ff`);
    expect(automaticRefundId(paymentId)).toBe(`rfd_${DIGITS}a1b2c3d4e5f6`);
    expect(returnIdOf(BOOKING, "2027-01-03/7")).toBe(`ret_${DIGITS}_2027-01-03/7`);
  });

  test("lead back to it", () => {
    expect(bookingIdOfPayment(`pay_${DIGITS}a1b2c3d4e5f6`)).toBe(BOOKING);
    expect(bookingIdOfRefund(`rfd_${DIGITS}a1b2c3d4e5f6`)).toBe(BOOKING);
    expect(bookingIdOfReturn(returnIdOf(BOOKING, "e 1"))).toBe(BOOKING);
  });

  test.each([
    "",
    "pay_",
    BOOKING,
    `pay_${DIGITS}`,
    `pay_${DIGITS}a1b2c3d4e5f`,
    `pay_${DIGITS}a1b2c3d4e5f6\n`,
    `pay_${DIGITS}A1B2C3D4E5F6`,
    `rfd_${DIGITS}a1b2c3d4e5f6`,
  ])("%j is no payment's id", (id) => {
    expect(bookingIdOfPayment(id)).toBeUndefined();
  });

  test("a payment's id is no refund's or return's", () => {
    expect(bookingIdOfRefund(`pay_${DIGITS}a1b2c3d4e5f6`)).toBeUndefined();
    expect(bookingIdOfReturn(`ret_${DIGITS}_`)).toBeUndefined();
  });
});

describe("creditor references (ISO 11649)", () => {
  test.each(["RF18539007547034", "RF712348231"])("%s is one", (text) => {
    expect(isCreditorReference(text)).toBe(true);
  });

  test.each([
    ...["", "RF", "RF18", "RF19539007547034", "RF18539007547043", "XX18539007547034"],
    ...["RF185390-07547034", "rf18539007547034"],
  ])("%j is none", (text) => {
    expect(isCreditorReference(text)).toBe(false);
  });

  test.each([
    "RF18539007547034",
    "RF18 5390 0754 7034",
    "rf18.5390.0754.7034",
    "RF18-5390-0754-7034",
    "RF18\u20115390\u20130754\u22127034",
    "RF18\u00a05390\u200b0754\u00ad7034\ufeff",
    "RF18 5390\r\n07547034",
    "ＲＦ１８５３９００７５４７０３４",
    "RFI8539OO7547O34",
    "rfl8 539oo7547o34",
    "Invoice RF18 5390 0754 7034, Ada Lovelace",
    "Ada Lovelace/RF18539007547034/KEPLER",
    "RFRF18539007547034",
  ])("is read in %j", (text) => {
    expect(referencesIn(text)).toStrictEqual(["RF18539007547034"]);
  });

  test("letters of a reference that only look like digits are left, where its check digits say so", () => {
    expect(creditorReference("OIL")).toBe("RF04OIL");
    expect(referencesIn("rf04 oil")).toContain("RF04OIL");
  });

  test.each(["", "Ada Lovelace", "RF19 5390 0754 7034", "RF18 5390 0754 7043", "539007547034", "RF18/5390/0754/7034"])(
    "none is read in %j",
    (text) => {
      expect(referencesIn(text)).toStrictEqual([]);
    },
  );

  test("where more follows, it is among those it may be", () => {
    const words = fc.stringMatching(/^[ a-zA-Z0-9.-]{0,60}$/);
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9A-HJKMNP-Z]{1,21}$/), words, words, (body, before, after) => {
        const reference = creditorReference(body);
        const typed = reference.toLowerCase().replaceAll("0", "O").replaceAll("1", "l");
        expect(referencesIn(`${before} ${typed} ${after}`)).toContain(reference);
      }),
    );
  });

  test("are made with their check digits", () => {
    expect(creditorReference("539007547034")).toBe("RF18539007547034");
    expect(creditorReference("2348231")).toBe("RF712348231");
  });

  test.each(["", "a b", "ä", "1234567890123456789012"])("%j cannot be one", (text) => {
    expect(() => creditorReference(text)).toThrow(RangeError);
  });

  test("any 1 to 21 letters and digits give one, and one wrong digit is noticed", () => {
    const text = fc.stringMatching(/^[0-9A-Za-z]{1,21}$/);
    fc.assert(
      fc.property(text, fc.nat({ max: 24 }), fc.integer({ min: 1, max: 9 }), (body, place, shift) => {
        const reference = creditorReference(body);
        expect(isCreditorReference(reference)).toBe(true);
        expect(reference).toBe(reference.toUpperCase());
        const index = 2 + (place % (reference.length - 2));
        const digit = Number.parseInt(reference.charAt(index), 10);
        fc.pre(!Number.isNaN(digit));
        const wrong = reference.slice(0, index) + ((digit + shift) % 10) + reference.slice(index + 1);
        expect(isCreditorReference(wrong)).toBe(false);
      }),
    );
  });
});
