import { describe, expect, test } from "@jest/globals";
import { createPaymentSchema, createRefundSchema } from "../../src/index.ts";
import { problemsWith } from "../problems.ts";

const card = { type: "card", token: "tok_visa" };
const wallet = { type: "wallet", walletType: "apple_pay", token: "tok_visa" };
const transfer = { type: "bank_transfer" };
const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, "v"]));

describe("pay", () => {
  test.each([
    ["a card", card, { ...card, saveCard: false }],
    ["a card to save", { ...card, saveCard: true }, { ...card, saveCard: true }],
    ["a wallet", wallet, wallet],
    ["a transfer", transfer, transfer],
    ["twenty pairs", { ...transfer, metadata: pairs(20) }, { ...transfer, metadata: pairs(20) }],
    [
      "a long value",
      { ...transfer, metadata: { a: "x".repeat(500) } },
      { ...transfer, metadata: { a: "x".repeat(500) } },
    ],
    ["an empty value", { ...transfer, metadata: { a: "" } }, { ...transfer, metadata: { a: "" } }],
    ["no pairs", { ...wallet, metadata: {} }, { ...wallet, metadata: {} }],
  ])("accepts %s", (_case, value, parsed) => {
    expect(createPaymentSchema.parse(value)).toStrictEqual(parsed);
  });

  const TYPES = "type must be one of card, wallet, bank_transfer";
  test.each([
    ["nothing", {}, [TYPES]],
    ["null", null, ["body must be an object"]],
    ["an array", [], ["body must be an object"]],
    ["an unknown type", { type: "cash" }, [TYPES]],
    ["a number for a type", { type: 1, token: "x" }, [TYPES]],
    ["a name of every object", { type: "constructor" }, [TYPES]],
    ["a card without a token", { type: "card" }, ["token is required"]],
    ["a blank token", { ...card, token: "" }, ["token must not be blank"]],
    ["a long token", { ...card, token: "x".repeat(256) }, ["token must have at most 255 characters"]],
    ["a text for saveCard", { ...card, saveCard: "true" }, ["saveCard must be true or false"]],
    ["a card with a wallet", { ...card, walletType: "paypal" }, ["walletType is not a known field"]],
    ["a wallet without anything", { type: "wallet" }, ["walletType is required", "token is required"]],
    [
      "an unknown wallet",
      { ...wallet, walletType: "purse" },
      ["walletType must be one of apple_pay, google_pay, samsung_pay, paypal"],
    ],
    ["a wallet to save", { ...wallet, saveCard: true }, ["saveCard is not a known field"]],
    ["a transfer with a token", { ...transfer, token: "x" }, ["token is not a known field"]],
    ["an amount", { ...card, amount: 1 }, ["amount is not a known field"]],
    ["too many pairs", { ...card, metadata: pairs(21) }, ["metadata must have at most 20 keys"]],
    ["a long value", { ...card, metadata: { a: "x".repeat(501) } }, ["metadata.a must have at most 500 characters"]],
    [
      "a number for a value",
      { ...card, metadata: { a: 1, b: null } },
      ["metadata.a must be a string", "metadata.b must be a string"],
    ],
    ["a blank key", { ...card, metadata: { " ": "x" } }, ['metadata[" "]: the key must not be blank']],
    ["a list for pairs", { ...card, metadata: [] }, ["metadata must be an object"]],
    ["null for pairs", { ...card, metadata: null }, ["metadata must be an object"]],
  ])("refuses %s", (_case, value, problems) => {
    expect(problemsWith(createPaymentSchema, value)).toStrictEqual(problems);
  });
});

describe("refund", () => {
  test.each([
    [{}, { reason: "requested_by_customer" }],
    [{ amount: 1 }, { reason: "requested_by_customer", amount: 1 }],
    [
      { reason: "duplicate", amount: 9_007_199_254_740_991 },
      { reason: "duplicate", amount: 9_007_199_254_740_991 },
    ],
  ])("accepts %j", (value, parsed) => {
    expect(createRefundSchema.parse(value)).toStrictEqual(parsed);
  });

  test.each([
    [{ amount: 0 }, "amount must be at least 1"],
    [{ amount: -5 }, "amount must be at least 1"],
    [{ amount: 1.5 }, "amount must be a whole number"],
    [{ amount: "100" }, "amount must be a number"],
    [{ amount: null }, "amount must be a number"],
    [{ amount: Number.POSITIVE_INFINITY }, "amount must be a finite number"],
    [{ amount: 1e300 }, "amount must be at most 9007199254740991"],
    [
      { reason: "because" },
      "reason must be one of requested_by_customer, duplicate, fraudulent, booking_cancelled, flight_cancelled, other",
    ],
    [{ currency: "USD" }, "currency is not a known field"],
  ])("refuses %j", (value, problem) => {
    expect(problemsWith(createRefundSchema, value)).toStrictEqual([problem]);
  });
});
