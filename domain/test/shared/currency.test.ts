import { expect, test } from "@jest/globals";
import { readAmount, writtenAmount } from "../../src/index.ts";

test.each([
  ["905", "USD", 90_500],
  ["905.00", "USD", 90_500],
  [" 9.05 ", "USD", 905],
  ["905", "JPY", 905],
  ["1.234", "KWD", 1_234],
  ["1", "KWD", 1_000],
  ["90071992547409.91", "USD", Number.MAX_SAFE_INTEGER],
])("%j %s is an amount", (written, currency, amount) => {
  expect(readAmount(written, currency)).toBe(amount);
  expect(readAmount(writtenAmount(amount, currency), currency)).toBe(amount);
});

test.each([
  ["9.5", "USD"],
  ["905,00", "USD"],
  ["1,299.00", "USD"],
  ["905.", "USD"],
  [".50", "USD"],
  ["905.00", "JPY"],
  ["1.23", "KWD"],
  ["0", "USD"],
  ["0.00", "USD"],
  ["-1", "USD"],
  ["1e3", "USD"],
  ["", "USD"],
  ["90071992547409.92", "USD"],
])("%j %s may be a slip", (written, currency) => {
  expect(readAmount(written, currency)).toBeUndefined();
});
