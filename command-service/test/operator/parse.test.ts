import { describe, expect, test } from "@jest/globals";
import { OperatorError } from "@travel-booking/http/operator";
import { z } from "zod";
import { parse } from "../../src/operator/operator-services.ts";

const schema = z.strictObject({
  name: z.string().trim().min(1).max(3),
  amount: z.int().min(1),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .optional(),
});

function problemsOf(body: unknown): readonly string[] {
  try {
    parse(schema, body);
  } catch (error) {
    if (error instanceof OperatorError) return [error.status, ...error.problems].map(String);
    throw error;
  }
  return [];
}

describe("what an operator sends", () => {
  test("is answered as the schema makes it", () => {
    expect(parse(schema, { name: " a ", amount: 1 })).toStrictEqual({ name: "a", amount: 1 });
  });

  test("is refused with one line per problem, in words", () => {
    expect(problemsOf({ name: "", amount: 0, currency: "usd", more: 1 })).toStrictEqual([
      "400",
      "name must have at least 1 character",
      "amount must be at least 1",
      "currency must be of the right form",
      "more is not a known field",
    ]);
    expect(problemsOf(undefined)).toStrictEqual(["400", "name is required", "amount is required"]);
    expect(problemsOf({ name: "abcd", amount: 0.5 })).toStrictEqual([
      "400",
      "name must have at most 3 characters",
      "amount must be a whole number",
    ]);
  });
});
