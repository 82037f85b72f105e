import fc from "fast-check";
import { DAY, HOUR, MINUTE, type PointsRate } from "../../../src/index.ts";

/** One step of a random life of a booking. Numbers choose among what there is by then. */
export type Step =
  | { readonly do: "wait"; readonly ms: number }
  | { readonly do: "create" | "abandon" | "cancel" | "pay" | "transfer" | "expire" }
  | { readonly do: "change"; readonly reference?: string | null; readonly swap: boolean; readonly surcharge?: number }
  | { readonly do: "closeChange"; readonly pick: number }
  | { readonly do: "outcome"; readonly pick: number; readonly succeeds: boolean }
  | { readonly do: "receive"; readonly share: Share; readonly currency: "USD" | "EUR" }
  | { readonly do: "receiveAgain" | "sendReturn" | "settle"; readonly pick: number }
  | { readonly do: "reverse"; readonly pick: number; readonly cancelBooking: boolean }
  | { readonly do: "refund"; readonly pick: number; readonly share: Share | "null" }
  | { readonly do: "repeat"; readonly pick: number };

export type Share = "cent" | "half" | "all" | "more";

/** What is booked: when it departs, and what it costs. */
export interface BookingTerms {
  readonly untilDeparture: number;
  readonly fareAmount: number;
  readonly credit: number;
  readonly seated: boolean;
  readonly pointsRate: PointsRate;
}

const pick = fc.nat({ max: 20 });
const share = fc.constantFrom<Share>("cent", "half", "all", "more");

export const bookingTerms: fc.Arbitrary<BookingTerms> = fc.record({
  untilDeparture: fc.constantFrom(10 * MINUTE, 5 * HOUR, 30 * HOUR, 50 * HOUR, 4 * DAY, 30 * DAY),
  fareAmount: fc.constantFrom(0, 1, 10_000, 10_000, 10_000),
  credit: fc.constantFrom(0, 0, 0, 5, 1_000_000),
  seated: fc.boolean(),
  pointsRate: fc.constantFrom({ points: 1, per: 100 }, { points: 3, per: 1_000 }, { points: 0, per: 1 }),
});

/** How a life begins: left to chance, most would end before it becomes interesting. */
export const openingSteps: fc.Arbitrary<readonly Step[]> = fc.constantFrom<readonly Step[]>(
  [],
  [{ do: "create" }],
  [{ do: "create" }, { do: "transfer" }],
  [{ do: "create" }, { do: "transfer" }, { do: "pay" }],
  [{ do: "create" }, { do: "pay" }, { do: "outcome", pick: 0, succeeds: true }],
);

export const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant("wait" as const),
        ms: fc.constantFrom(0, 1, MINUTE, HOUR, 12 * HOUR, DAY, 3 * DAY),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constantFrom("pay" as const, "pay" as const, "transfer" as const, "expire" as const),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constantFrom("create" as const, "abandon" as const, "cancel" as const) }),
    },
    {
      weight: 3,
      arbitrary: fc.record(
        {
          do: fc.constant("change" as const),
          swap: fc.boolean(),
          reference: fc.constantFrom(null, "a", "b"),
          surcharge: fc.constantFrom(0, 100, 5_000),
        },
        { requiredKeys: ["do", "swap"] },
      ),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("closeChange" as const), pick }) },
    { weight: 5, arbitrary: fc.record({ do: fc.constant("outcome" as const), pick, succeeds: fc.boolean() }) },
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constant("receive" as const),
        share,
        currency: fc.constantFrom("USD" as const, "USD" as const, "USD" as const, "EUR" as const),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constantFrom("receiveAgain" as const, "sendReturn" as const, "settle" as const),
        pick,
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant("reverse" as const), pick, cancelBooking: fc.boolean() }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant("refund" as const),
        pick,
        share: fc.oneof(share, fc.constant("null" as const)),
      }),
    },
    { weight: 3, arbitrary: fc.record({ do: fc.constant("repeat" as const), pick }) },
  ),
  { maxLength: 40, size: "max" },
);
