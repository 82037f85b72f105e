import { expect, test } from "@jest/globals";
import { bodyLimitOf, createPassengerSchema, operations } from "@travel-booking/api-contract";
import { z } from "zod";

const bodies = operations.filter(({ body, bodyType = "json" }) => body !== undefined && bodyType === "json");

test.each(bodies.map(({ id, body }) => [id, body as NonNullable<typeof body>] as const))(
  "the body of %s has a bound, which is no reason to let others wait",
  (_, body) => {
    expect(bodyLimitOf(body)).toBeGreaterThanOrEqual(16_384);
    expect(bodyLimitOf(body)).toBeLessThan(524_288);
  },
);

test("the largest valid body is taken, every character written as two escapes and indented", () => {
  const planet = (characters: number) => "\u{1fa90}".repeat(characters);
  const largest = {
    firstName: planet(100),
    lastName: planet(100),
    email: `${"e".repeat(64)}@${"e".repeat(63)}.${"e".repeat(63)}.${"e".repeat(61)}`,
    dateOfBirth: "1985-12-10",
    nationality: "GB",
    passport: { number: planet(64), expiresOn: "2034-04-15", issuingCountry: "NZ" },
    loyaltyNumber: planet(64),
    metadata: Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`${index}`.padStart(2, "0") + planet(253), planet(500)]),
    ),
    preferences: { seat: "window", meal: "standard", cryosleep: false },
  };
  expect(createPassengerSchema.safeParse(largest).success).toBe(true);
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16)}`;
  const written = JSON.stringify(largest, null, 8).replace(/[\ud800-\udfff]/g, escaped);
  expect(JSON.parse(written)).toStrictEqual(largest);
  expect(written.length).toBeLessThan(bodyLimitOf(createPassengerSchema));
});

test.each([
  ["a text", z.object({ text: z.string() }), "maxLength"],
  ["an array", z.object({ array: z.array(z.boolean()) }), "maxItems"],
  ["a record", z.object({ record: z.record(z.string().max(1), z.boolean()) }), "maxProperties"],
])("%s without a bound is an error", (_, schema, keyword) => {
  expect(() => bodyLimitOf(schema)).toThrow(`no ${keyword} bounds`);
});

test("nothing at all, a number and a choice have a size", () => {
  const choice = z.union([z.int(), z.literal("a"), z.enum(["b", "c"]), z.null()]);
  expect(bodyLimitOf(z.strictObject({}))).toBe(16_384);
  expect(bodyLimitOf(z.array(choice).max(1_000))).toBe(96_064);
});
