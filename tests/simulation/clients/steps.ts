import { DAY, HOUR, MINUTE, REWARDS, type Reward, SECOND } from "@travel-booking/domain";
import type { GatewayCall, GatewayFault } from "@travel-booking/payment-gateway/testing";
import fc from "fast-check";
import type { StoreFault } from "../run/external-systems.ts";
import { ACCOUNTS, FLIGHTS, SEATS, type SoldCabin } from "../scenario.ts";

/** `which` picks one of the things known by then, whatever their number. */
interface ActingClient {
  readonly account: (typeof ACCOUNTS)[number];
  readonly which: number;
}

interface SeatChoice {
  readonly cabin: SoldCabin;
  readonly seats: readonly string[];
}

type FlightDecision =
  | "CloseSales"
  | "OpenSales"
  | "CancelFlight"
  | "RetimeFlight"
  | "ReinstateFlight"
  | "ChangeEquipment";

export type Step = (
  | (ActingClient & SeatChoice & { readonly kind: "hold"; readonly flightId: string })
  | (ActingClient & { readonly kind: "release" })
  | (ActingClient &
      SeatChoice & {
        readonly kind: "book";
        readonly flightId: string;
        readonly passengers: number;
        readonly with: "nothing" | "hold" | "seats";
      })
  | (ActingClient &
      SeatChoice & { readonly kind: "change seats"; readonly withHold: boolean; readonly alsoReference: boolean })
  | (ActingClient & { readonly kind: "change reference"; readonly reference: string | null })
  | (ActingClient & { readonly kind: "cancel" })
  | (ActingClient & {
      readonly kind: "answer";
      readonly flightId: string;
      readonly as: "accept" | "rebook" | "refund";
      readonly revision: number;
    })
  | (ActingClient & { readonly kind: "charge"; readonly as: "card" | "wallet"; readonly token: string })
  | (ActingClient & { readonly kind: "start transfer" })
  | (ActingClient & { readonly kind: "refund"; readonly amount: number | null })
  | (ActingClient & { readonly kind: "redeem"; readonly reward: Reward; readonly forBooking: boolean })
  | {
      readonly kind: "money arrives";
      readonly which: number;
      readonly part: "all" | "half" | "more";
      readonly currency: string;
      /** Whether what the payer wrote names the payment. */
      readonly named: boolean;
    }
  | {
      readonly kind: "decide on flight";
      readonly which: number;
      readonly flightId: string;
      readonly as: FlightDecision;
      /** Of a departure that is moved; milliseconds. */
      readonly moves: number;
    }
  | { readonly kind: "control sweep"; readonly which: number; readonly flightId: string; readonly pauses: boolean }
  | { readonly kind: "entry again"; readonly which: number }
  | { readonly kind: "entry sent back"; readonly which: number }
  | { readonly kind: "entry reversed"; readonly which: number; readonly cancelBooking: boolean }
  | { readonly kind: "return sent"; readonly which: number }
  | { readonly kind: "refund settled"; readonly which: number }
  | { readonly kind: "repeat"; readonly which: number }
  | { readonly kind: "time passes"; readonly milliseconds: number; readonly timers: boolean }
  | { readonly kind: "timers"; readonly which: number }
  | { readonly kind: "crash"; readonly which: number; readonly atPoint: number }
  | { readonly kind: "stall"; readonly which: number; readonly milliseconds: number }
  | {
      readonly kind: "ask the other";
      readonly which: number;
      readonly because: "impatience" | "crash" | "stall" | "cut off";
      readonly milliseconds: number;
    }
  | { readonly kind: "gateway fails"; readonly call: GatewayCall; readonly faults: readonly GatewayFault[] }
  | { readonly kind: "append fails"; readonly faults: readonly StoreFault[] }
  | { readonly kind: "record fails"; readonly faults: readonly StoreFault[] }
) & {
  /** How many turns the requests under way get before the next step. */
  readonly turns: number;
};

const which = fc.nat({ max: 30 });
const by = { account: fc.constantFrom(...ACCOUNTS), which };
const flightId = fc.constantFrom(...FLIGHTS.map((flight) => flight.flightId));
const turns = fc.oneof({ arbitrary: fc.nat({ max: 12 }), weight: 3 }, { arbitrary: fc.constant(80), weight: 1 });

function seatChoice(most: number) {
  return fc.constantFrom<SoldCabin>("economy", "economy", "economy", "business").chain((cabin) =>
    fc.record({
      cabin: fc.constant(cabin),
      seats: fc.shuffledSubarray(Object.keys(SEATS[cabin].surcharges), { minLength: 1, maxLength: most }),
    }),
  );
}

type Kind = Step["kind"];
type OfKind<K extends Kind> = Extract<Step, { readonly kind: K }>;

function step<K extends Kind>(
  kind: K,
  weight: number,
  fields: { [Field in keyof Omit<OfKind<K>, "kind" | "turns">]: fc.Arbitrary<OfKind<K>[Field]> },
) {
  const arbitrary = fc.record({ kind: fc.constant(kind), turns, ...fields } as never) as fc.Arbitrary<Step>;
  return { arbitrary, weight };
}

/** Fields that hang together, beside those that do not. */
function seatStep<K extends Kind>(
  kind: K,
  weight: number,
  fields: { [Field in keyof Omit<OfKind<K>, "kind" | "turns" | "cabin" | "seats">]: fc.Arbitrary<OfKind<K>[Field]> },
) {
  const plain = fc.record({ kind: fc.constant(kind), turns, ...fields } as never) as fc.Arbitrary<object>;
  const arbitrary = fc.tuple(plain, seatChoice(2)).map(([some, others]) => ({ ...some, ...others }) as unknown as Step);
  return { arbitrary, weight };
}

const TOKENS = ["tok_visa", "tok_visa", "tok_mastercard", "tok_declined_card_declined", "tok_timeout"];
/** The longer ones seldom: they end most of what is going on. */
const DURATIONS = fc.oneof(
  { arbitrary: fc.constantFrom(SECOND, 6 * SECOND, 61 * SECOND, 14 * MINUTE, 15 * MINUTE), weight: 8 },
  { arbitrary: fc.constantFrom(6 * HOUR, DAY, 3 * DAY), weight: 3 },
  { arbitrary: fc.constant(27 * DAY), weight: 1 },
);

/** Shorter than a lease, as long as one, and longer. */
const STALLS = fc.constantFrom(3 * SECOND, 5 * SECOND, 6 * SECOND, 8 * SECOND, 20 * SECOND);

const fault = fc.constantFrom<StoreFault>("lost-before", "lost-after");

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  seatStep("hold", 8, { ...by, flightId }),
  step("release", 2, by),
  seatStep("book", 12, {
    ...by,
    flightId,
    passengers: fc.integer({ min: 1, max: 2 }),
    with: fc.constantFrom("nothing", "hold", "seats", "seats"),
  }),
  seatStep("change seats", 10, { ...by, withHold: fc.boolean(), alsoReference: fc.boolean() }),
  step("change reference", 2, { ...by, reference: fc.constantFrom("A", "B", null) }),
  step("cancel", 5, by),
  step("answer", 8, {
    ...by,
    flightId,
    as: fc.constantFrom("accept", "rebook", "rebook", "refund"),
    revision: fc.integer({ min: 1, max: 2 }),
  }),
  step("charge", 14, { ...by, as: fc.constantFrom("card", "wallet"), token: fc.constantFrom(...TOKENS) }),
  step("start transfer", 6, by),
  step("refund", 6, { ...by, amount: fc.constantFrom(null, 1_000, 60_000, 104_000) }),
  step("redeem", 10, { ...by, reward: fc.constantFrom(...REWARDS), forBooking: fc.boolean() }),
  step("money arrives", 9, {
    which,
    part: fc.constantFrom("all", "all", "half", "more"),
    currency: fc.constantFrom("USD", "USD", "USD", "EUR"),
    named: fc.constantFrom(true, true, false),
  }),
  step("decide on flight", 4, {
    which,
    flightId,
    as: fc.constantFrom<FlightDecision>(
      "CancelFlight",
      "RetimeFlight",
      "RetimeFlight",
      "ChangeEquipment",
      "ChangeEquipment",
      "ReinstateFlight",
      "CloseSales",
      "OpenSales",
    ),
    moves: fc.constantFrom(-DAY, -2 * HOUR, -HOUR, HOUR, 2 * HOUR, 4 * HOUR, DAY),
  }),
  step("control sweep", 2, { which, flightId, pauses: fc.boolean() }),
  step("entry again", 1, { which }),
  step("entry sent back", 1, { which }),
  step("entry reversed", 3, { which, cancelBooking: fc.boolean() }),
  step("return sent", 1, { which }),
  step("refund settled", 1, { which }),
  step("repeat", 8, { which }),
  step("time passes", 10, { milliseconds: DURATIONS, timers: fc.boolean() }),
  step("timers", 3, { which }),
  step("crash", 5, { which, atPoint: fc.nat({ max: 6 }) }),
  step("stall", 3, { which, milliseconds: STALLS }),
  step("ask the other", 24, {
    which,
    because: fc.constantFrom("impatience", "crash", "stall", "stall", "cut off", "cut off"),
    milliseconds: STALLS,
  }),
  step("record fails", 2, { faults: fc.array(fault, { minLength: 1, maxLength: 3 }) }),
  step("gateway fails", 4, {
    call: fc.constantFrom("charge", "outcome", "close", "refund"),
    faults: fc.array(fc.constantFrom("timeout-before", "timeout-after", "unavailable"), { minLength: 1, maxLength: 3 }),
  }),
  step("append fails", 2, {
    faults: fc.oneof(
      { arbitrary: fc.array(fault, { minLength: 1, maxLength: 2 }), weight: 4 },
      // Longer than a command waits for the outcome of its append.
      { arbitrary: fc.array(fault, { minLength: 20, maxLength: 20 }), weight: 1 },
    ),
  }),
);

export const steps: fc.Arbitrary<Step[]> = fc.array(anyStep, { minLength: 5, maxLength: 45, size: "max" });

/**
 * A booking is under way in the first process, which then stops for long; the second one, which is asked again, may refuse it
 * and die, or be refused itself. Meanwhile the seats become free, are given back, and are taken by somebody else.
 */
export const stalledBooking: fc.Arbitrary<Step[]> = fc
  .record({
    turns: fc.array(fc.nat({ max: 30 }), { minLength: 4, maxLength: 4 }),
    because: fc.constantFrom("cut off", "stall"),
    milliseconds: fc.constantFrom(20_000, 60_000, 120_000, 300_000),
  })
  .map(({ turns: [booked = 0, asked = 0, cancelled = 0, repeated = 0], because, milliseconds }) => {
    const trip = { kind: "book", which: 0, flightId: FLIGHTS[0]!.flightId, cabin: "economy", with: "seats" } as const;
    const both = { ...trip, passengers: 2, seats: ["10A", "10B"] };
    return [
      { ...trip, account: ACCOUNTS[2], passengers: 1, seats: ["10B"], turns: 80 },
      { ...both, account: ACCOUNTS[0], turns: booked },
      { kind: "ask the other", which: 0, because, milliseconds, turns: asked },
      { kind: "cancel", account: ACCOUNTS[2], which: 0, turns: cancelled },
      { kind: "crash", which: 1, atPoint: 1, turns: 60 },
      { kind: "time passes", milliseconds: 15 * MINUTE, timers: true, turns: 60 },
      { kind: "time passes", milliseconds: MINUTE, timers: true, turns: 60 },
      { ...both, account: ACCOUNTS[1], turns: 40 },
      { kind: "repeat", which: 1, turns: 80 },
      { kind: "repeat", which: 1, turns: repeated },
      { kind: "repeat", which: 1, turns: 80 },
    ];
  });
