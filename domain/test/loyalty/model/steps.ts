import fc from "fast-check";
import { DAY, REWARDS } from "../../../src/index.ts";

const pick = fc.nat(1_000);
/** Mostly months; now and then so long that all there was expires. */
const wait = fc.oneof({ weight: 3, arbitrary: fc.nat(120 * DAY) }, { weight: 1, arbitrary: fc.nat(1_200 * DAY) });
const reward = fc.constantFrom(...REWARDS);

/** What happens to an account in the course of years. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("wait" as const), ms: wait }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("fly" as const),
      points: fc.oneof(fc.nat(5), fc.nat(30_000)),
      ago: fc.nat(40 * DAY),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("refund" as const), pick, percent: fc.integer({ min: 0, max: 100 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("oldNews" as const), pick }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("adjust" as const), points: fc.integer({ min: -9_000, max: 9_000 }) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("redeem" as const), reward }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("setAside" as const), reward }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("end" as const),
      pick,
      given: fc.boolean(),
      banked: fc.constantFrom(0, 2_500, 10_000),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("claim" as const),
      most: fc.nat(15_000),
      currency: fc.constantFrom("USD", "EUR", "KWD"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("returnClaim" as const), pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("giveUp" as const), pick }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("repeat" as const), pick }) },
);
export type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

export const steps = fc.array(step, { minLength: 1, maxLength: 60, size: "max" });
