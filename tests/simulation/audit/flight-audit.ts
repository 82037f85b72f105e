import { isDeepStrictEqual } from "node:util";
import type { EquipmentChanged, FlightEvent } from "@travel-booking/domain";
import { invariant } from "./invariant.ts";
import { type Sold, type SoldCabins, shipWith } from "./sold.ts";

interface AuditedHold {
  readonly accountId: string;
  readonly cabin: string;
  readonly seats: readonly string[];
  readonly expiresAt: number;
  readonly fareAmount: number | undefined;
  used: boolean;
  ended: boolean;
}

export interface AuditedAllocation {
  readonly accountId: string;
  cabin: string;
  readonly passengers: number;
  seats: readonly string[];
  /** Those at first, whatever ship has come since. */
  readonly sold: readonly string[];
  /** With a cabin: an upgrade, which has places in both until it ends. */
  change: { readonly changeId: string; readonly seats: readonly string[]; readonly cabin: string | null } | null;
  released: boolean;
  /** The move by which it got its places. */
  readonly moveId: string | undefined;
  /** It has no place. */
  overfull: boolean;
  /** What the flight was told of its payment. */
  payment: "unknown" | "paid" | "refunded";
}

/** `stuck`: bookings that the sweep gave up. */
interface AuditedSweep {
  status: "running" | "paused" | "ended";
  stuck: readonly string[];
}

/** Re-counts one flight from its events alone: every seat has one owner at most, and no cabin is promised twice over. */
export class FlightAudit {
  readonly allocations = new Map<string, AuditedAllocation>();
  readonly holds = new Map<string, AuditedHold>();
  /** The present one last. */
  readonly departures: number[] = [];
  readonly #owners = new Map<string, string>();
  readonly #sold: Sold;
  readonly disruptions = new Map<string, AuditedSweep>();
  cancelled = false;
  /** Of the decisions about it. */
  revision = 0;
  /** The ships that it goes with, by the revision from which on, and who sits elsewhere on each. */
  readonly ships: {
    readonly from: number;
    readonly cabins: SoldCabins;
    readonly seating: EquipmentChanged["data"]["reseated"];
  }[];
  #closed = false;
  #lastAt = 0;

  constructor(sold: Sold) {
    this.#sold = sold;
    this.ships = [{ from: 0, cabins: sold.cabins, seating: [] }];
  }

  /** The ship that it went with at a revision. */
  shipAt(revision: number) {
    return this.ships.findLast(({ from }) => from <= revision) as FlightAudit["ships"][number];
  }

  get #cabins(): SoldCabins {
    return this.shipAt(Number.POSITIVE_INFINITY).cabins;
  }

  get departsAt(): number {
    return this.departures.at(-1) ?? 0;
  }

  apply(event: FlightEvent): void {
    invariant(event.at >= this.#lastAt, "time went back on a flight");
    this.#lastAt = event.at;
    this.#applyEvent(event);
    this.#count();
  }

  #applyEvent(event: FlightEvent): void {
    switch (event.type) {
      case "FlightScheduled":
        this.departures.push(event.data.departsAt);
        return;
      case "FareChanged":
        return;
      case "SalesClosed":
      case "SalesOpened":
        this.#decided(event.data.revision);
        invariant(this.#closed !== (event.type === "SalesClosed"), "the sales were closed or opened twice");
        this.#closed = event.type === "SalesClosed";
        return;
      case "FlightCancelled": {
        const { revision, disruptionId, bookings } = event.data;
        this.#decided(revision);
        this.#beforeDeparture(event.at);
        this.#allOnBoard(bookings);
        this.disruptions.set(disruptionId, { status: "running", stuck: [] });
        this.cancelled = true;
        return;
      }
      case "FlightRetimed": {
        const { revision, disruptionId, bookings, departsAt } = event.data;
        this.#decided(revision);
        this.#beforeDeparture(event.at);
        const ahead = departsAt < this.departsAt ? 120 : 15;
        invariant(departsAt - event.at >= ahead * 60_000, "a flight was moved too near");
        this.#allOnBoard(bookings);
        this.disruptions.set(disruptionId, { status: "running", stuck: [] });
        this.departures.push(departsAt);
        return;
      }
      case "EquipmentChanged":
        this.#decided(event.data.revision);
        this.#beforeDeparture(event.at);
        this.#changeShip(event.data);
        return;
      case "FlightReinstated": {
        const { revision, disruptionId, sale } = event.data;
        const sweep = this.#sweep(disruptionId);
        invariant(this.cancelled && sweep.status !== "running", "a flight was reinstated while bookings followed it");
        this.#beforeDeparture(event.at, true);
        this.cancelled = false;
        this.#decided(revision);
        invariant((sale === "closed") === this.#closed, "a flight was reinstated with other sales than before");
        Object.assign(sweep, { status: "running", stuck: [] });
        return;
      }
      case "DisruptionPaused":
        this.#sweep(event.data.disruptionId).status = "paused";
        return;
      case "DisruptionResumed":
        Object.assign(this.#sweep(event.data.disruptionId), { status: "running", stuck: [] });
        return;
      case "DisruptionEnded": {
        const sweep = this.#sweep(event.data.disruptionId);
        invariant(sweep.status === "running", `a sweep that was ${sweep.status} came to its end`);
        Object.assign(sweep, { status: "ended", stuck: event.data.stuck });
        return;
      }
      case "SeatsHeld": {
        const { holdId, accountId, cabin, seats, expiresAt, fareAmount } = event.data;
        const usedUp = this.holds.get(holdId);
        if (usedUp === undefined) invariant(expiresAt === event.at + 15 * 60_000, "a hold lasts 15 minutes");
        else {
          const { used, ended, ...before } = usedUp;
          invariant(used && ended && event.at < expiresAt, `hold ${holdId} was given back that nothing had used`);
          invariant(
            isDeepStrictEqual(before, { accountId, cabin, seats, expiresAt, fareAmount }),
            "a hold came back as another",
          );
        }
        this.#beforeDeparture(event.at);
        if (usedUp === undefined) {
          invariant(!this.#closed, "seats were held while the sales were closed");
          this.#notOverfull(cabin);
        }
        this.#claim(`hold ${holdId}`, cabin, seats);
        this.holds.set(holdId, { accountId, cabin, seats, expiresAt, fareAmount, used: false, ended: false });
        return;
      }
      case "SeatHoldReleased":
        invariant(event.at < this.#endHold(event.data.holdId).expiresAt, "a hold was released after its time");
        return;
      case "SeatHoldExpired":
        invariant(event.at >= this.#endHold(event.data.holdId).expiresAt, "a hold expired before its time");
        return;
      case "SeatsAllocated": {
        const { bookingId, accountId, cabin, passengers, seats, holdId, moveId } = event.data;
        const before = this.allocations.get(bookingId);
        const isBack = moveId !== undefined && before?.released === true;
        invariant(before === undefined || isBack, `${bookingId} was allocated twice`);
        this.#beforeDeparture(event.at);
        const maySell = !this.#closed || holdId !== null || moveId !== undefined;
        invariant(maySell, "places were sold while the sales were closed");
        if (holdId === null) this.#notOverfull(cabin);
        this.#useHold(holdId, accountId, event.at);
        invariant(seats.length === 0 || seats.length === passengers, "seats for some of the passengers only");
        this.#claim(bookingId, cabin, seats);
        const payment = moveId === undefined ? "unknown" : "paid";
        const begun = { change: null, released: false, overfull: false, payment } as const;
        this.allocations.set(bookingId, { accountId, cabin, passengers, seats, sold: seats, moveId, ...begun });
        return;
      }
      case "SeatChangeReserved": {
        const { bookingId, changeId, seats, holdId, automatic, cabin = null } = event.data;
        const allocation = this.#activeAllocation(bookingId);
        invariant(allocation.change === null, `two changes of ${bookingId} at once`);
        invariant(cabin !== null || seats.length === allocation.passengers, "a change to another number of seats");
        invariant(
          cabin === null || allocation.overfull || (cabin === "business" && allocation.cabin === "economy"),
          "no upgrade by one cabin",
        );
        if (automatic === true) invariant(allocation.seats.length === 0, "seats were assigned to who had some");
        else this.#beforeDeparture(event.at);
        invariant(!this.cancelled, "seats were changed on a cancelled flight");
        invariant(
          cabin === null || allocation.overfull || !this.#closed,
          "an upgrade was given while the sales were closed",
        );
        this.#useHold(holdId, allocation.accountId, event.at);
        this.#claim(bookingId, allocation.cabin, seats);
        allocation.change = { changeId, seats, cabin };
        return;
      }
      case "SeatChangeApplied":
      case "SeatChangeDropped": {
        const { bookingId, changeId } = event.data;
        const allocation = this.#activeAllocation(bookingId);
        const { change } = allocation;
        invariant(change !== null && change.changeId === changeId, `${changeId} was not open`);
        if (event.type === "SeatChangeApplied") {
          allocation.seats = change.seats;
          allocation.cabin = change.cabin ?? allocation.cabin;
          allocation.overfull = false;
        }
        allocation.change = null;
        this.#giveBack(bookingId);
        this.#claim(bookingId, allocation.cabin, allocation.seats);
        return;
      }
      case "AllocationReleased": {
        const allocation = this.#activeAllocation(event.data.bookingId);
        allocation.released = true;
        allocation.change = null;
        this.#giveBack(event.data.bookingId);
        return;
      }
      case "SeatsPaid":
        for (const bookingId of event.data.bookingIds) {
          const allocation = this.#activeAllocation(bookingId);
          invariant(allocation.payment === "unknown", `${bookingId} became paid that was ${allocation.payment}`);
          allocation.payment = "paid";
        }
        return;
      case "SeatsRefunded": {
        const allocation = this.#activeAllocation(event.data.bookingId);
        allocation.payment = "refunded";
        return;
      }
      case "SeatsRefundUndone": {
        const allocation = this.#activeAllocation(event.data.bookingId);
        invariant(allocation.payment === "refunded", `${event.data.bookingId} was never refunded`);
        allocation.payment = "unknown";
        return;
      }
    }
  }

  #changeShip({ disruptionId, revision, bookings, cabins, reseated }: EquipmentChanged["data"]): void {
    this.#allOnBoard(bookings);
    this.disruptions.set(disruptionId, { status: "running", stuck: [] });
    const before = this.#cabins;
    this.ships.push({ from: revision, cabins: shipWith(this.#sold, cabins.length), seating: reseated });
    this.#owners.clear();
    for (const [holdId, hold] of this.holds) if (!hold.ended) this.#claim(`hold ${holdId}`, hold.cabin, hold.seats);
    const onBoard = [...this.allocations].filter(([, { released }]) => !released);
    for (const [bookingId, allocation] of onBoard) {
      invariant(allocation.change === null, `the ship was changed while seats of ${bookingId} were`);
      const moved = reseated.find((one) => one.bookingId === bookingId);
      allocation.overfull = moved?.overfull === true;
      const seats = moved?.seats ?? allocation.seats;
      invariant(seats.length === 0 || seats.length === allocation.passengers, "seats for some of the passengers only");
      const isKept = seats.length === 0 || allocation.overfull || allocation.seats.length > 0;
      invariant(isKept, `${bookingId} got seats that nobody had chosen`);
      if (moved === undefined)
        for (const seat of seats)
          invariant(
            before[allocation.cabin]?.surcharges[seat] === this.#cabins[allocation.cabin]?.surcharges[seat],
            `${bookingId} keeps ${seat}, which is another`,
          );
      allocation.seats = seats;
      this.#claim(bookingId, allocation.cabin, seats);
    }
    for (const [bookingId, { overfull, cabin, passengers }] of onBoard) {
      const placed = onBoard.filter(([, one]) => !one.overfull && one.cabin === cabin);
      const taken = placed.reduce((sum, [, one]) => sum + one.passengers, 0);
      const seats = Object.keys(this.#cabins[cabin]?.surcharges ?? {}).length;
      invariant(!overfull || taken + passengers > seats, `there was a place for ${bookingId}`);
    }
  }

  #notOverfull(cabin: string): void {
    const some = [...this.allocations.values()].some((one) => one.overfull && !one.released && one.cabin === cabin);
    invariant(!some, `${cabin} was sold while others had no place in it`);
  }

  #beforeDeparture(at: number, cancelled = false): void {
    invariant(at < this.departsAt, "places were promised after departure");
    invariant(this.cancelled === cancelled, "places were promised on a cancelled flight");
  }

  #allOnBoard(bookings: number): void {
    const onBoard = [...this.allocations.values()].filter(({ released }) => !released).length;
    invariant(bookings === onBoard, `${bookings} bookings were told of, and ${onBoard} are on board`);
  }

  #decided(revision: number): void {
    invariant(!this.cancelled, "a cancelled flight was decided on");
    this.revision += 1;
    invariant(revision === this.revision, `decision ${revision} follows ${this.revision - 1}`);
  }

  #sweep(disruptionId: string): AuditedSweep {
    const sweep = this.disruptions.get(disruptionId);
    invariant(sweep !== undefined, `${disruptionId} is not of this flight`);
    return sweep;
  }

  #activeAllocation(bookingId: string): AuditedAllocation {
    const allocation = this.allocations.get(bookingId);
    invariant(allocation !== undefined && !allocation.released, `${bookingId} has nothing on the flight`);
    return allocation;
  }

  #useHold(holdId: string | null, accountId: string, at: number): void {
    if (holdId === null) return;
    const hold = this.#endHold(holdId);
    invariant(hold.accountId === accountId, `hold ${holdId} was used by somebody else`);
    invariant(at < hold.expiresAt, `hold ${holdId} was used after its time`);
    hold.used = true;
  }

  #endHold(holdId: string): AuditedHold {
    const hold = this.holds.get(holdId);
    invariant(hold !== undefined && !hold.ended, `hold ${holdId} ended twice`);
    hold.ended = true;
    this.#giveBack(`hold ${holdId}`);
    return hold;
  }

  #claim(owner: string, cabin: string, seats: readonly string[]): void {
    invariant(new Set(seats).size === seats.length, "one seat twice");
    for (const seat of seats) {
      invariant(seat in (this.#cabins[cabin]?.surcharges ?? {}), `${seat} is not for sale in ${cabin}`);
      const present = this.#owners.get(seat);
      invariant(present === undefined || present === owner, `${seat} of ${present} was given to ${owner}`);
      this.#owners.set(seat, owner);
    }
  }

  #giveBack(owner: string): void {
    for (const [seat, present] of this.#owners) if (present === owner) this.#owners.delete(seat);
  }

  #count(): void {
    for (const [cabin, { surcharges }] of Object.entries(this.#cabins)) {
      const holds = [...this.holds.values()].filter((hold) => !hold.ended && hold.cabin === cabin);
      const parties = [...this.allocations.values()].filter(
        ({ released, overfull, change, ...party }) =>
          !released &&
          (change?.cabin === cabin ||
            (party.cabin === cabin && (!overfull || (change !== null && change.cabin === null)))),
      );
      const promised =
        holds.reduce((sum, hold) => sum + hold.seats.length, 0) +
        parties.reduce((sum, party) => sum + party.passengers, 0);
      invariant(promised <= Object.keys(surcharges).length, `${cabin} is oversold: ${promised} places`);
    }
  }
}
