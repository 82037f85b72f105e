import fc from "fast-check";
import { type FlightCommand, MINUTE } from "../../src/index.ts";
import type { NaiveFlight } from "./naive-flight.ts";
import { plan } from "./sample-flight.ts";

/**
 * A command, or time passing. With an aim the command goes for something there is, or is new, when its turn comes;
 * with 0 its ids are any: unknown, used before, another's.
 */
export type Step =
  | { readonly type: "Command"; readonly command: FlightCommand; readonly aim: number }
  | { readonly type: "Pass"; readonly milliseconds: number };

export function aimed(command: FlightCommand, aim: number, model: NaiveFlight): FlightCommand {
  if (aim === 0) return command;
  const oneOf = <Value>(values: readonly Value[]): Value | undefined => values[aim % values.length];
  const hold = oneOf(model.activeHolds());
  switch (command.type) {
    case "HoldSeats":
      return { ...command, holdId: `hld_${model.holds.length}` };
    case "ReleaseHold":
      return { ...command, holdId: hold?.id ?? command.holdId };
    case "AllocateSeats":
      return {
        ...command,
        bookingId: `bkg_${model.bookings.length}`,
        holdId: command.holdId === null ? null : (hold?.id ?? null),
      };
    case "ReserveSeatChange": {
      const booking = oneOf(model.bookings.filter(({ released }) => !released));
      return {
        ...command,
        bookingId: booking?.id ?? command.bookingId,
        changeId: `chg_${model.changes.length}`,
        seats: command.seats.slice(0, booking?.passengers),
        holdId: command.holdId === null ? null : (hold?.id ?? null),
      };
    }
    case "ReserveUpgrade": {
      const booking = oneOf(model.bookings.filter(({ released, cabin }) => !released && cabin === "economy"));
      return { ...command, bookingId: booking?.id ?? command.bookingId, changeId: `chg_${model.changes.length}` };
    }
    case "ApplySeatChange":
    case "DropSeatChange": {
      const change = oneOf(model.changes.filter(({ status }) => status === "open")) ?? oneOf(model.changes);
      return change === undefined ? command : { ...command, bookingId: change.booking.id, changeId: change.id };
    }
    case "ReleaseAllocation": {
      if (command.undone !== true) return command;
      const booking = oneOf(model.bookings.filter(({ released, hold }) => !released && hold !== undefined));
      return { ...command, bookingId: booking?.id ?? command.bookingId };
    }
    case "UndoRefundedSeats": {
      const booking = oneOf(model.bookings.filter(({ released, refund }) => !released && refund !== undefined));
      return { ...command, bookingId: booking?.id ?? command.bookingId };
    }
    default:
      return command;
  }
}

const accountId = fc.oneof({ weight: 12, arbitrary: fc.constant("acc_1") }, fc.constant("acc_2"));
const holdId = fc.nat({ max: 11 }).map((n) => `hld_${n}`);
const bookingId = fc.nat({ max: 4 }).map((n) => `bkg_${n}`);
const refundId = fc.constantFrom("rfd_1", "rfd_2");
const holdIdOrNull = fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, holdId);

const economySeat = fc.constantFrom("10A", "10B", "10C", "11A", "11C");
const anySeat = fc.oneof({ weight: 3, arbitrary: economySeat }, fc.constantFrom("1A", "1C", "11B", "99Z"));
const seats = fc.oneof(
  { weight: 6, arbitrary: fc.uniqueArray(economySeat, { minLength: 1, maxLength: 2 }) },
  { weight: 4, arbitrary: economySeat.map((seat) => [seat]) },
  { weight: 1, arbitrary: fc.uniqueArray(fc.constantFrom("1A", "1C"), { minLength: 1 }) },
  { weight: 2, arbitrary: fc.array(anySeat, { maxLength: 3 }) },
  { weight: 2, arbitrary: fc.constant([]) },
);
/** Mostly as many seats as travel. */
const party = fc
  .record({ seats, others: fc.constantFrom(1, 1, 1, 2, 2, 3), exact: fc.nat({ max: 9 }) })
  .map(({ seats, others, exact }) => ({ seats, passengers: seats.length > 0 && exact > 0 ? seats.length : others }));
const cabin = fc.oneof(
  { weight: 8, arbitrary: fc.constant("economy" as const) },
  fc.constantFrom("business" as const, "first" as const),
);
const change = fc.record({ bookingId, changeId: fc.nat({ max: 4 }).map((n) => `chg_${n}`) });

const hold = fc.record({ type: fc.constant("HoldSeats" as const), holdId, accountId, seats });
const allocate = fc
  .record({ bookingId, accountId, cabin, party, holdId: holdIdOrNull })
  .map(({ party, ...rest }) => ({ type: "AllocateSeats" as const, ...rest, ...party }));
const reserve = fc
  .record({ change, accountId, seats, holdId: holdIdOrNull })
  .map(({ change, ...rest }) => ({ type: "ReserveSeatChange" as const, ...change, ...rest }));
const upgrade = fc
  .record({ change, accountId })
  .map(({ change, ...rest }) => ({ type: "ReserveUpgrade" as const, ...change, ...rest }));
const endChange = fc
  .record({ type: fc.constantFrom("ApplySeatChange" as const, "DropSeatChange" as const), change })
  .map(({ type, change }) => ({ type, ...change }));
const release = fc.record(
  { type: fc.constant("ReleaseAllocation" as const), bookingId, undone: fc.constant(true as const) },
  { requiredKeys: ["type", "bookingId"] },
);
const fares = fc
  .array(fc.constantFrom(90_000, 100_000, 110_000), { minLength: plan.cabins.length, maxLength: plan.cabins.length })
  .map((amounts) => ({
    type: "ScheduleFlight" as const,
    plan: { ...plan, cabins: plan.cabins.map((cabin, index) => ({ ...cabin, amount: amounts[index] ?? 0 })) },
  }));
const pass = fc.constantFrom(1, 4 * MINUTE, 15 * MINUTE - 1, 15 * MINUTE);

const command: fc.Arbitrary<FlightCommand> = fc.oneof(
  { weight: 6, arbitrary: hold },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("ReleaseHold" as const), holdId, accountId }) },
  { weight: 6, arbitrary: allocate },
  { weight: 6, arbitrary: reserve },
  { weight: 2, arbitrary: upgrade },
  { weight: 4, arbitrary: endChange },
  { weight: 2, arbitrary: release },
  { weight: 1, arbitrary: fc.constant({ type: "ExpireHolds" } as const) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant("RecordPaidSeats" as const),
      bookingIds: fc.uniqueArray(bookingId, { maxLength: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant("RecordRefundedSeats" as const), bookingId, accountId, refundId }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("UndoRefundedSeats" as const), bookingId, refundId }) },
  { weight: 1, arbitrary: fares },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant("ChangeFare" as const), cabin, amount: fc.constantFrom(90_000, 100_000) }),
  },
  { weight: 2, arbitrary: anySeat.map((seat) => ({ type: "BlockSeat" as const, seat, reason: null })) },
  { weight: 2, arbitrary: anySeat.map((seat) => ({ type: "UnblockSeat" as const, seat })) },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record({ command, aim: fc.nat({ max: 6 }) }).map((about): Step => ({ type: "Command", ...about })),
  },
  { weight: 1, arbitrary: pass.map((milliseconds): Step => ({ type: "Pass", milliseconds })) },
);

export const arbitrarySteps = fc.array(step, { minLength: 20, maxLength: 60, size: "max" });
