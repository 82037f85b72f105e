import type { Cabin, FlightCommand, Instant } from "../../src/index.ts";
import { business, DEPARTURE, economy } from "./sample-flight.ts";

type Seats = readonly string[];
interface Hold {
  readonly id: string;
  readonly account: string;
  readonly cabin: Cabin;
  readonly seats: Seats;
  readonly ends: Instant;
  readonly fare: number;
  recorded: boolean;
  status: "active" | "used" | "released";
}
interface Booking {
  readonly id: string;
  readonly account: string;
  cabin: Cabin;
  readonly passengers: number;
  seats: Seats;
  readonly fare: number;
  /** That the seats are of. */
  hold: Hold | undefined;
  released: boolean;
  payment: "unknown" | "paid" | "refunded";
  /** The last that made it `refunded`. */
  refund: string | undefined;
}
interface Change {
  readonly id: string;
  readonly booking: Booking;
  readonly seats: Seats;
  readonly hold?: Hold | undefined;
  /** Of an upgrade: where it goes. */
  readonly cabin?: Cabin;
  status: "open" | "applied" | "dropped" | "released";
}

/** What the sample flight has, written down instead of computed. */
const FOR_SALE: Readonly<Partial<Record<Cabin, Seats>>> = {
  economy: ["10A", "10B", "10C", "11A", "11C"],
  business: ["1A", "1C"],
};
const BLOCKED = ["11B"];
export const CABINS_ON_FLIGHT = ["economy", "business"] as const;
export const ALL_SEATS: readonly (readonly [Cabin, string])[] = [
  ...CABINS_ON_FLIGHT.flatMap((cabin) => (FOR_SALE[cabin] ?? []).map((seat) => [cabin, seat] as const)),
  ["economy", "11B"],
];

const cabinOf = (seat: string) => ALL_SEATS.find(([, number]) => number === seat)?.[0];
const intersects = (one: Seats, other: Seats) => one.some((seat) => other.includes(seat));

/** Why a command must be refused, in the words of the rules; each list holds every reason that is true. */
export interface ExpectedRejection {
  readonly notFound: readonly string[];
  readonly unfit: readonly string[];
  readonly conflict: readonly string[];
}

/** Done before, or nothing to do: accepted, nothing recorded. */
export const NO_OP = "no-op";

const reasonsThatHold = (reasons: Readonly<Record<string, boolean>>) =>
  Object.keys(reasons).filter((code) => reasons[code]);

/** The rules over plain lists, everything looked up by searching through all of it. */
export class NaiveFlight {
  readonly holds: Hold[] = [];
  readonly bookings: Booking[] = [];
  readonly changes: Change[] = [];
  /** Of today. */
  readonly blocked = new Set<string>(BLOCKED);
  readonly fares = new Map<Cabin, number>([economy, business].map(({ cabin, amount }) => [cabin, amount]));
  now: Instant;

  constructor(now: Instant) {
    this.now = now;
  }

  statusOf(hold: Hold): string {
    return hold.status === "active" && this.now >= hold.ends ? "expired" : hold.status;
  }

  activeHolds(): readonly Hold[] {
    return this.holds.filter((hold) => this.statusOf(hold) === "active");
  }

  openChange(booking: Booking): Change | undefined {
    return this.changes.find((change) => change.booking === booking && change.status === "open");
  }

  owners(seat: string): readonly string[] {
    const holders = this.activeHolds().filter((hold) => hold.seats.includes(seat));
    const bookers = this.bookings.filter(
      (booking) =>
        !booking.released && (booking.seats.includes(seat) || this.openChange(booking)?.seats.includes(seat)),
    );
    return [...holders.map(({ id }) => id), ...bookers.map(({ id }) => id)];
  }

  seatStatus(seat: string): string {
    if (this.blocked.has(seat)) return "blocked";
    const [owner] = this.owners(seat);
    if (owner === undefined) return "available";
    return owner.startsWith("hld_") ? "held" : "booked";
  }

  seatsLeft(cabin: Cabin): number {
    const live = this.bookings.filter((booking) => booking.cabin === cabin && !booking.released);
    const booked = live.flatMap(({ seats }) => seats).length;
    const unseated = live.reduce((sum, { seats, passengers }) => sum + (seats.length === 0 ? passengers : 0), 0);
    const held = this.activeHolds().flatMap((hold) => (hold.cabin === cabin ? hold.seats : [])).length;
    const upgrades = this.changes.filter((change) => change.status === "open" && change.cabin === cabin);
    const moving = upgrades.reduce((sum, { booking }) => sum + booking.passengers, 0);
    const blocked = (FOR_SALE[cabin] ?? []).filter((seat) => this.blocked.has(seat)).length;
    return (FOR_SALE[cabin] ?? []).length - blocked - booked - unseated - held - moving;
  }

  /** Holds that ended by time alone and are not recorded yet, in the order they were made; they are from now on. */
  recordLapsed(): readonly string[] {
    const lapsed = this.holds.filter((hold) => this.statusOf(hold) === "expired" && !hold.recorded);
    for (const hold of lapsed) hold.recorded = true;
    return lapsed.map(({ id }) => id);
  }

  #unfit(seats: Seats) {
    return {
      seat_named_twice: new Set(seats).size < seats.length,
      seat_unknown: seats.some((seat) => cabinOf(seat) === undefined),
    };
  }

  #unavailable(seats: Seats, mine: readonly (string | null)[]) {
    const owners = seats.flatMap((seat) => this.owners(seat)).filter((owner) => !mine.includes(owner));
    return {
      flight_departed: this.now >= DEPARTURE,
      seat_blocked: intersects(seats, [...this.blocked]),
      seat_taken: owners.some((owner) => owner.startsWith("bkg_")),
      seat_held: owners.some((owner) => owner.startsWith("hld_")),
    };
  }

  #holdNamed(command: { holdId: string | null; accountId: string }): Hold | undefined {
    return this.activeHolds().find(({ id, account }) => id === command.holdId && account === command.accountId);
  }

  #chosen(command: { seats: Seats; holdId: string | null; accountId: string }): Seats {
    return command.seats.length > 0 ? command.seats : (this.#holdNamed(command)?.seats ?? []);
  }

  judge(command: FlightCommand): ExpectedRejection | typeof NO_OP {
    switch (command.type) {
      case "HoldSeats": {
        const known = this.holds.find(({ id }) => id === command.holdId);
        if (known?.account === command.accountId) return NO_OP;
        if (known !== undefined) return { notFound: [], unfit: [], conflict: ["id_taken"] };
        const { seats } = command;
        const cabins = new Set(seats.map(cabinOf));
        const cabin = cabinOf(seats[0] ?? "") ?? "first";
        return {
          notFound: [],
          unfit: reasonsThatHold({
            ...this.#unfit(seats),
            no_seats: seats.length === 0,
            seats_span_cabins: cabins.size > 1,
          }),
          conflict: reasonsThatHold({
            ...this.#unavailable(seats, []),
            seats_owed: this.seatsLeft(cabin) < seats.length,
          }),
        };
      }
      case "ReleaseHold": {
        const known = this.holds.find(({ id, account }) => id === command.holdId && account === command.accountId);
        const notFound = reasonsThatHold({ hold_not_found: known === undefined });
        const ended = known !== undefined && this.statusOf(known) !== "active";
        return { notFound, unfit: [], conflict: reasonsThatHold({ hold_not_active: ended }) };
      }
      case "AllocateSeats": {
        const known = this.bookings.find(({ id }) => id === command.bookingId);
        if (known?.account === command.accountId) return NO_OP;
        if (known !== undefined) return { notFound: [], unfit: [], conflict: ["id_taken"] };
        const hold = this.#holdNamed(command);
        const seats = this.#chosen(command);
        const left = this.seatsLeft(command.cabin) + (hold?.seats.length ?? 0);
        return {
          notFound: reasonsThatHold({ hold_not_found: command.holdId !== null && hold === undefined }),
          unfit: reasonsThatHold({
            ...this.#unfit(seats),
            cabin_not_on_flight: !(command.cabin in FOR_SALE),
            hold_cabin_mismatch: hold !== undefined && hold.cabin !== command.cabin,
            seat_in_other_cabin: seats.some((seat) => (cabinOf(seat) ?? command.cabin) !== command.cabin),
            seat_count_mismatch: seats.length > 0 && seats.length !== command.passengers,
          }),
          conflict: reasonsThatHold({
            ...this.#unavailable(seats, [command.holdId]),
            cabin_sold_out: left < command.passengers,
          }),
        };
      }
      case "ReserveSeatChange": {
        const known = this.changes.find(({ id }) => id === command.changeId);
        if (known?.booking.id === command.bookingId) return NO_OP;
        if (known !== undefined) return { notFound: [], unfit: [], conflict: ["id_taken"] };
        const booking = this.bookings.find(
          ({ id, account }) => id === command.bookingId && account === command.accountId,
        );
        if (booking?.released === false && this.#goesOn(booking, command)) return NO_OP;
        const hold = this.#holdNamed(command);
        const seats = this.#chosen(command);
        return {
          notFound: reasonsThatHold({
            allocation_not_found: booking === undefined,
            hold_not_found: command.holdId !== null && hold === undefined,
          }),
          unfit: reasonsThatHold({
            ...this.#unfit(seats),
            hold_cabin_mismatch: hold !== undefined && hold.cabin !== booking?.cabin,
            seat_in_other_cabin: seats.some((seat) => (cabinOf(seat) ?? booking?.cabin) !== booking?.cabin),
            seat_count_mismatch: seats.length !== booking?.passengers,
          }),
          conflict: reasonsThatHold({
            ...this.#unavailable(seats, [command.holdId, command.bookingId]),
            allocation_released: booking?.released === true,
            seat_change_open: booking !== undefined && this.openChange(booking) !== undefined,
          }),
        };
      }
      case "ReserveUpgrade": {
        const known = this.changes.find(({ id }) => id === command.changeId);
        if (known?.booking.id === command.bookingId) return NO_OP;
        if (known !== undefined) return { notFound: [], unfit: [], conflict: ["id_taken"] };
        const booking = this.bookings.find(
          ({ id, account }) => id === command.bookingId && account === command.accountId,
        );
        return {
          notFound: reasonsThatHold({ allocation_not_found: booking === undefined }),
          unfit: [],
          conflict: reasonsThatHold({
            allocation_released: booking?.released === true,
            flight_departed: this.now >= DEPARTURE,
            no_higher_cabin: booking?.cabin === "business",
            seat_change_open: booking !== undefined && this.openChange(booking) !== undefined,
            cabin_sold_out: booking !== undefined && this.seatsLeft("business") < booking.passengers,
          }),
        };
      }
      case "ApplySeatChange":
      case "DropSeatChange": {
        const change = this.changes.find(
          ({ id, booking }) => id === command.changeId && booking.id === command.bookingId,
        );
        const other = command.type === "ApplySeatChange" ? "dropped" : "applied";
        if (change === undefined)
          return other === "applied" ? NO_OP : { notFound: ["seat_change_not_found"], unfit: [], conflict: [] };
        const conflict = reasonsThatHold({ seat_change_not_open: change.status === other });
        return change.status === "open" || conflict.length > 0 ? { notFound: [], unfit: [], conflict } : NO_OP;
      }
      case "ReleaseAllocation":
        return this.bookings.some(({ id, released }) => id === command.bookingId && !released)
          ? { notFound: [], unfit: [], conflict: [] }
          : NO_OP;
      case "RecordPaidSeats":
        return this.#unpaid(command.bookingIds).length > 0 ? { notFound: [], unfit: [], conflict: [] } : NO_OP;
      case "ScheduleFlight":
        return command.plan.cabins.some(({ cabin, amount }) => this.fares.get(cabin) !== amount)
          ? { notFound: [], unfit: [], conflict: [] }
          : NO_OP;
      case "ChangeFare":
        if (this.fares.get(command.cabin) === command.amount) return NO_OP;
        return {
          notFound: reasonsThatHold({ cabin_not_on_flight: !this.fares.has(command.cabin) }),
          unfit: [],
          conflict: [],
        };
      case "BlockSeat": {
        const { seat } = command;
        if (this.blocked.has(seat)) return NO_OP;
        const { flight_departed: _, ...conflicts } = this.#unavailable([seat], []);
        const owed = this.seatsLeft(cabinOf(seat) ?? "first") < 1;
        const unfit = reasonsThatHold({ seat_unknown: cabinOf(seat) === undefined });
        return { notFound: [], unfit, conflict: reasonsThatHold({ ...conflicts, seats_owed: owed }) };
      }
      case "UnblockSeat": {
        const { seat } = command;
        const unfit = reasonsThatHold({ seat_unknown: cabinOf(seat) === undefined });
        if (unfit.length === 0 && !this.blocked.has(seat)) return NO_OP;
        return { notFound: [], unfit, conflict: reasonsThatHold({ seat_blocked: BLOCKED.includes(seat) }) };
      }
      case "RecordRefundedSeats":
      case "UndoRefundedSeats": {
        const undoes = command.type === "UndoRefundedSeats";
        const isDone = ({ refund }: Booking) => (refund === command.refundId) !== undoes;
        return this.bookings.some(
          (booking) => booking.id === command.bookingId && !booking.released && !isDone(booking),
        )
          ? { notFound: [], unfit: [], conflict: [] }
          : NO_OP;
      }
      default:
        return NO_OP;
    }
  }

  /** Whether the booking is getting the seats that are asked for. */
  #goesOn(booking: Booking, { seats, holdId }: { seats: Seats; holdId: string | null }): boolean {
    const open = this.openChange(booking);
    if (open === undefined || open.cabin !== undefined) return false;
    if (holdId === null) return String(seats) === String(open.seats);
    return open.hold?.id === holdId && (seats.length === 0 || String(seats) === String(open.seats));
  }

  /** Makes a hold as it was, if there is room for it. Answers how many it made. */
  #giveBack(hold: Hold | undefined): number {
    if (hold === undefined || this.now >= hold.ends) return 0;
    if (
      hold.seats.some((seat) => this.seatStatus(seat) !== "available") ||
      this.seatsLeft(hold.cabin) < hold.seats.length
    )
      return 0;
    hold.status = "active";
    return 1;
  }

  #unpaid(bookingIds: readonly string[]): readonly Booking[] {
    return this.bookings.filter(
      ({ id, released, payment }) => bookingIds.includes(id) && !released && payment === "unknown",
    );
  }

  /** What an accepted command does. Answers how many events it takes. */
  carryOut(command: FlightCommand): number {
    if (command.type === "HoldSeats") {
      const { holdId: id, accountId: account, seats } = command;
      const cabin = cabinOf(seats[0] ?? "") ?? "first";
      const fare = this.fares.get(cabin) ?? 0;
      this.holds.push({ id, account, cabin, seats, ends: this.now + 900_000, fare, recorded: false, status: "active" });
    }
    if (command.type === "ReleaseHold")
      for (const hold of this.holds) if (hold.id === command.holdId) hold.status = "released";
    if (command.type === "AllocateSeats") {
      const { bookingId: id, accountId: account, cabin, passengers } = command;
      const hold = this.#holdNamed(command);
      const fares = [
        this.fares.get(cabin) ?? 0,
        ...(hold !== undefined && hold.seats.length >= passengers ? [hold.fare] : []),
      ];
      this.bookings.push({
        id,
        account,
        cabin,
        passengers,
        seats: this.#chosen(command),
        fare: Math.min(...fares),
        hold,
        released: false,
        payment: "unknown",
        refund: undefined,
      });
    }
    const booking = this.bookings.find(({ id }) => "bookingId" in command && id === command.bookingId);
    if (command.type === "ReserveSeatChange" && booking !== undefined)
      this.changes.push({
        id: command.changeId,
        booking,
        seats: this.#chosen(command),
        hold: this.#holdNamed(command),
        status: "open",
      });
    if (command.type === "ReserveUpgrade" && booking !== undefined)
      this.changes.push({ id: command.changeId, booking, seats: [], cabin: "business", status: "open" });
    if (command.type === "AllocateSeats" || command.type === "ReserveSeatChange")
      for (const hold of this.holds) if (hold.id === command.holdId) hold.status = "used";
    const open = booking === undefined ? undefined : this.openChange(booking);
    if (command.type === "ApplySeatChange" && booking !== undefined && open !== undefined) {
      booking.seats = open.seats;
      booking.hold = open.hold;
      booking.cabin = open.cabin ?? booking.cabin;
      open.status = "applied";
    }
    if (command.type === "DropSeatChange" && open !== undefined) {
      open.status = "dropped";
      return 1 + this.#giveBack(open.hold);
    }
    if (command.type === "ReleaseAllocation" && booking !== undefined) {
      if (open !== undefined) open.status = "released";
      booking.released = true;
      return 1 + (command.undone === true ? this.#giveBack(booking.hold) : 0);
    }
    if (command.type === "ScheduleFlight") {
      const changed = command.plan.cabins.filter(({ cabin, amount }) => this.fares.get(cabin) !== amount);
      for (const { cabin, amount } of changed) this.fares.set(cabin, amount);
      return changed.length;
    }
    if (command.type === "ChangeFare") this.fares.set(command.cabin, command.amount);
    if (command.type === "BlockSeat") this.blocked.add(command.seat);
    if (command.type === "UnblockSeat") this.blocked.delete(command.seat);
    if (command.type === "RecordPaidSeats") for (const paid of this.#unpaid(command.bookingIds)) paid.payment = "paid";
    if (command.type === "RecordRefundedSeats" && booking !== undefined)
      Object.assign(booking, { payment: "refunded", refund: command.refundId });
    if (command.type === "UndoRefundedSeats" && booking !== undefined)
      Object.assign(booking, { payment: "unknown", refund: undefined });
    return 1;
  }
}
