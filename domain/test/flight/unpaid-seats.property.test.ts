import { expect, test } from "@jest/globals";
import fc from "fast-check";
import {
  type Cabin,
  type FlightCommand,
  type FlightEvent,
  flightDecider,
  fold,
  type Instant,
  MINUTE,
} from "../../src/index.ts";
import { business, economy, NOW, plan } from "./sample-flight.ts";

const PERCENT = 30;
/** By cabin; 40 seats in economy, 10 in business. */
const MOST: Readonly<Partial<Record<Cabin, number>>> = { economy: 12, business: 9 };
const scheduled: FlightEvent = {
  type: "FlightScheduled",
  at: NOW,
  data: {
    ...plan,
    cabins: [
      { ...economy, layout: "AB CD", rows: [10, 19], blocked: [], exitRows: [], surcharges: [] },
      { ...business, layout: "AB", rows: [1, 5] },
    ],
  },
};
const SEATS = {
  economy: Array.from({ length: 40 }, (_, index) => `${10 + Math.floor(index / 4)}${"ABCD"[index % 4]}`),
  business: Array.from({ length: 10 }, (_, index) => `${1 + Math.floor(index / 2)}${"AB"[index % 2]}`),
};
const ACCOUNTS = ["acc_1", "acc_2"];

const TAKING: ReadonlySet<string> = new Set(["SeatsHeld", "SeatsAllocated", "SeatChangeReserved", "SeatsRefunded"]);

interface Booking {
  readonly account: string;
  readonly passengers: number;
  cabin: Cabin;
  upgradingTo: Cabin | null;
  /** What its own stream says, whether or not the flight knows. Once refunds left less than half, it is never paid again. */
  payment: "none" | "kept" | "refunded";
}

/** What the accounts have, recounted from the events and the payments alone. */
class Recount {
  readonly holds = new Map<string, { account: string; cabin: Cabin; places: number; until: Instant }>();
  readonly bookings = new Map<string, Booking>();

  apply(event: FlightEvent): void {
    if (event.type === "SeatsHeld") {
      const { holdId, accountId: account, cabin, seats, expiresAt: until } = event.data;
      this.holds.set(holdId, { account, cabin, places: seats.length, until });
    }
    if (event.type === "SeatHoldReleased" || event.type === "SeatHoldExpired") this.holds.delete(event.data.holdId);
    if (event.type === "SeatsAllocated") {
      const { bookingId, accountId: account, cabin, passengers, holdId } = event.data;
      this.bookings.set(bookingId, { account, cabin, passengers, upgradingTo: null, payment: "none" });
      if (holdId !== null) this.holds.delete(holdId);
    }
    if (event.type === "AllocationReleased") this.bookings.delete(event.data.bookingId);
    const booking = "bookingId" in event.data ? this.bookings.get(event.data.bookingId) : undefined;
    if (booking === undefined) return;
    if (event.type === "SeatChangeReserved") booking.upgradingTo = event.data.cabin ?? null;
    if (event.type === "SeatChangeApplied") booking.cabin = booking.upgradingTo ?? booking.cabin;
    if (event.type === "SeatChangeApplied" || event.type === "SeatChangeDropped") booking.upgradingTo = null;
  }

  unpaid(account: string, cabin: Cabin, at: Instant): number {
    let places = 0;
    for (const hold of this.holds.values())
      if (hold.account === account && hold.cabin === cabin && hold.until > at) places += hold.places;
    for (const booking of this.bookings.values())
      if (
        booking.account === account &&
        booking.payment !== "kept" &&
        [booking.cabin, booking.upgradingTo].includes(cabin)
      )
        places += booking.passengers;
    return places;
  }
}

const step = fc.record({
  what: fc.constantFrom(
    ...(["hold", "hold", "hold", "book", "book", "use", "use", "release", "pay", "pay", "record", "cancel"] as const),
    ...(["upgrade", "apply", "drop", "pass", "refund", "ask"] as const),
  ),
  account: fc.nat({ max: 1 }),
  cabin: fc.constantFrom<"economy" | "business">("economy", "economy", "economy", "business"),
  from: fc.nat({ max: 39 }),
  places: fc.integer({ min: 1, max: 6 }),
  which: fc.nat({ max: 40 }),
});
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** The command of a step; ids are new, or of what there is. */
function commandOf(
  { what, account, cabin, from, places, which }: Step,
  n: number,
  recount: Recount,
  asked: readonly string[],
) {
  const accountId = ACCOUNTS[account] ?? "";
  const bound = { accountId, unpaidSeatsPercent: PERCENT };
  const oneOf = (ids: Iterable<string>) => [...ids].at(which % Math.max(1, [...ids].length)) ?? "none";
  const bookingId = oneOf(recount.bookings.keys());
  const holdId = oneOf(recount.holds.keys());
  const seats = SEATS[cabin].slice(from % SEATS[cabin].length).slice(0, places);
  const party = { cabin, passengers: places, seats: [] };
  const hold = recount.holds.get(holdId);
  const commands: Readonly<Partial<Record<Step["what"], FlightCommand>>> = {
    hold: { type: "HoldSeats", holdId: `hld_${n}`, seats, ...bound },
    book: { type: "AllocateSeats", bookingId: `bkg_${n}`, holdId: null, ...party, ...bound },
    use: {
      type: "AllocateSeats",
      ...party,
      ...bound,
      bookingId: `bkg_${n}`,
      accountId: hold?.account ?? accountId,
      cabin: hold?.cabin ?? cabin,
      passengers: places % 3 === 0 ? places : (hold?.places ?? places),
      holdId,
    },
    release: { type: "ReleaseHold", holdId, accountId: hold?.account ?? accountId },
    record: { type: "RecordPaidSeats", bookingIds: asked },
    refund: {
      type: "RecordRefundedSeats",
      ...bound,
      bookingId,
      accountId: recount.bookings.get(bookingId)?.account ?? accountId,
    },
    cancel: { type: "ReleaseAllocation", bookingId },
    upgrade: {
      type: "ReserveUpgrade",
      ...bound,
      bookingId,
      accountId: recount.bookings.get(bookingId)?.account ?? accountId,
      changeId: `chg_${bookingId}`,
    },
    apply: { type: "ApplySeatChange", bookingId, changeId: `chg_${bookingId}` },
    drop: { type: "DropSeatChange", bookingId, changeId: `chg_${bookingId}` },
  };
  return { bookingId, command: commands[what] };
}

test("no account takes more unpaid than the bound; where all that is paid is known, no less is refused", () => {
  const seen = {
    refused: 0,
    refusedWronglyAtFirst: 0,
    upgrades: 0,
    refunded: 0,
    refundsRefused: 0,
    recordedTooLate: 0,
  };

  function runs(steps: readonly Step[]): void {
    const recount = new Recount();
    let state = fold(flightDecider, [scheduled]);
    let at = NOW;
    /** The bookings that were paid when somebody asked last. */
    let asked: readonly string[] = [];
    const nowPaid = () => [...recount.bookings].flatMap(([id, { payment }]) => (payment === "kept" ? [id] : []));
    const carryOut = (command: FlightCommand) => {
      const { events, rejection } = flightDecider.decide(command, state, at);
      if (events.some(({ type }) => TAKING.has(type)) && adds(command, recount))
        expect(roomFor(command, recount, at)).toBe(true);
      for (const event of events) {
        state = flightDecider.evolve(state, event);
        recount.apply(event);
        if (event.type === "SeatChangeReserved") seen.upgrades += 1;
      }
      return rejection?.code;
    };
    for (const [n, one] of steps.entries()) {
      const { bookingId, command } = commandOf(one, n, recount, asked);
      if (one.what === "pass") at += 4 * MINUTE;
      if (one.what === "ask") asked = nowPaid();
      const booking = recount.bookings.get(bookingId);
      if (one.what === "pay" && booking?.payment === "none") booking.payment = "kept";
      if (one.what === "refund" && booking?.payment !== "kept") continue;
      if (one.what === "record" && asked.some((id) => recount.bookings.get(id)?.payment === "refunded"))
        seen.recordedTooLate += 1;
      if (command === undefined) continue;
      let isRefused = carryOut(command) === "quota_exceeded";
      if (isRefused) {
        carryOut({ type: "RecordPaidSeats", bookingIds: nowPaid() });
        isRefused = carryOut(command) === "quota_exceeded";
        if (isRefused) expect(roomFor(command, recount, at)).toBe(false);
        seen[isRefused ? "refused" : "refusedWronglyAtFirst"] += 1;
      }
      if (one.what !== "refund" || booking === undefined) continue;
      if (!isRefused) booking.payment = "refunded";
      seen[isRefused ? "refundsRefused" : "refunded"] += 1;
    }
  }

  fc.assert(fc.property(fc.array(step, { minLength: 30, maxLength: 80, size: "max" }), runs), { numRuns: 200 });
  for (const [what, times] of Object.entries(seen)) expect([what, times > 20]).toStrictEqual([what, true]);
});

/** Whether a command adds to what its account keeps unpaid. */
function adds(command: FlightCommand, { holds, bookings }: Recount): boolean {
  if (command.type === "HoldSeats") return true;
  if (command.type === "AllocateSeats") return command.passengers > (holds.get(command.holdId ?? "")?.places ?? 0);
  if (command.type === "RecordRefundedSeats") return true;
  return command.type === "ReserveUpgrade" && bookings.get(command.bookingId)?.payment !== "kept";
}

/** Whether what a command adds is within the bound. */
function roomFor(command: FlightCommand, recount: Recount, at: Instant): boolean {
  const within = (account: string, cabin: Cabin, added: number) =>
    recount.unpaid(account, cabin, at) + added <= (MOST[cabin] ?? 0);
  if (command.type === "HoldSeats") {
    const cabin = SEATS.economy.includes(command.seats[0] ?? "") ? "economy" : "business";
    return within(command.accountId, cabin, command.seats.length);
  }
  if (command.type === "AllocateSeats") {
    const held = recount.holds.get(command.holdId ?? "")?.places ?? 0;
    return within(command.accountId, command.cabin, command.passengers - held);
  }
  if (command.type === "RecordRefundedSeats") {
    const booking = recount.bookings.get(command.bookingId);
    const cabins = booking === undefined ? [] : [booking.cabin, booking.upgradingTo];
    return cabins.every((cabin) => cabin === null || within(command.accountId, cabin, booking?.passengers ?? 0));
  }
  if (command.type !== "ReserveUpgrade") throw new Error(`${command.type} takes nothing`);
  return within(command.accountId, "business", recount.bookings.get(command.bookingId)?.passengers ?? 0);
}
