import type { BankEntryEvent, BookingEvent, FlightEvent, LoyaltyEvent } from "@travel-booking/domain";
import type { RecordedEvent } from "@travel-booking/engines/event-store";
import type { LedgerEntry } from "@travel-booking/payment-gateway/sandbox";
import { BankAudit } from "./bank-audit.ts";
import { BookingAudit, refunded } from "./booking-audit.ts";
import { FlightAudit } from "./flight-audit.ts";
import { invariant } from "./invariant.ts";
import { LoyaltyAudit } from "./loyalty-audit.ts";
import type { Sold } from "./sold.ts";

/** The log read by somebody who trusts nobody: shares no rule with the service. */
export class Audit {
  readonly flights = new Map<string, FlightAudit>();
  readonly bookings = new Map<string, BookingAudit>();
  readonly accounts = new Map<string, LoyaltyAudit>();
  readonly #bank = new BankAudit();
  readonly #sold: Sold;
  readonly #ids = new Set<string>();
  /** When each command was found in a stream, counted in readings. */
  readonly #commands = new Map<string, number>();
  #batches = 0;
  /** What the clients of these commands were told. */
  readonly #refused = new Map<string, string>();

  constructor(sold: Sold) {
    this.#sold = sold;
  }

  /** Events in the order of the log, whole appends at a time, and each at a time of its own where processes compete. */
  applyEvents(events: readonly RecordedEvent[]): void {
    const touched = new Set<string>();
    this.#batches += 1;
    for (const event of events) {
      invariant(!this.#ids.has(event.id), `two events with the id ${event.id}`);
      this.#ids.add(event.id);
      const command = `${event.metadata.commandId} on ${event.stream}`;
      const recordedIn = this.#commands.get(command) ?? this.#batches;
      invariant(recordedIn === this.#batches, `command ${command} was recorded a second time`);
      this.#commands.set(command, recordedIn);
      const [kind, id] = [
        event.stream.slice(0, event.stream.indexOf("-")),
        event.stream.slice(event.stream.indexOf("-") + 1),
      ];
      if (kind === "flight") this.#flight(id, event as unknown as FlightEvent);
      else if (kind === "booking") {
        this.#booking(id, event as unknown as BookingEvent);
        touched.add(id);
      } else if (kind === "bankEntry") this.#bank.apply(id, event as unknown as BankEntryEvent);
      else if (kind === "loyalty") this.#accountOf(id).apply(event as unknown as LoyaltyEvent);
    }
    for (const id of touched) this.bookingOf(id).check(id);
  }

  /** The gateway's books against the log: no money moves before it is written down, nor otherwise than written. */
  checkLedger(entries: readonly LedgerEntry[]): void {
    const payments = new Map([...this.bookings.values()].flatMap((booking) => [...booking.payments]));
    for (const entry of entries) {
      const payment = payments.get(entry.paymentId);
      invariant(payment !== undefined, `${entry.paymentId} is at the gateway and not in the log`);
      if (entry.kind === "barred") {
        invariant(payment.outcome !== "succeeded", `${entry.paymentId} succeeded without a charge`);
        continue;
      }
      invariant(entry.amount === payment.amount && entry.currency === payment.currency, "another amount was charged");
      if (payment.outcome !== null)
        invariant(payment.outcome === entry.outcome.status, "another outcome than the gateway's");
      for (const refund of entry.refunds) {
        invariant(payment.refunds.get(refund.refundId)?.amount === refund.amount, "a refund the log does not know");
      }
    }
  }

  /** A client was told that this command was refused: nothing of it may be in the log, then or later. */
  recordRejected(commandId: string, said: string): void {
    this.#refused.set(commandId, said);
  }

  /** When nothing is under way or due any more; `at`: the moment by the service's clock, by default after all departures. */
  checkFinalState(ledger: readonly LedgerEntry[], at = Number.POSITIVE_INFINITY): void {
    this.checkLedger(ledger);
    this.#bank.checkFinalState();
    const entries = new Map(ledger.map((entry) => [entry.paymentId, entry]));
    for (const command of this.#commands.keys()) {
      const said = this.#refused.get(command.slice(0, command.indexOf(" ")));
      invariant(said === undefined, `${said}, but ${command} is in the log`);
    }
    for (const [bookingId, booking] of this.bookings) this.#settledBooking(bookingId, booking, entries);
    for (const [accountId, account] of this.accounts) {
      const bookings = new Map([...this.bookings].filter(([, { facts }]) => facts?.accountId === accountId));
      account.checkFinalState(bookings, at);
    }
    for (const [flightId, flight] of this.flights) {
      const sweeps = [...flight.disruptions.values()];
      invariant(
        sweeps.every(({ status }) => status === "ended"),
        `${flightId} is swept for ever`,
      );
      for (const [holdId, hold] of flight.holds) invariant(hold.ended, `hold ${holdId} never ended`);
      for (const [bookingId, allocation] of flight.allocations) {
        const booking = this.bookingOf(bookingId);
        invariant(allocation.change === null, `a change of ${bookingId} is open for ever`);
        const isThere = booking.status === "confirmed" && booking.flightId === flightId;
        invariant(
          allocation.released !== isThere,
          `${bookingId} is ${booking.status} on ${booking.flightId}, released by ${flightId}: ${allocation.released}`,
        );
        invariant(!isThere || allocation.moveId === booking.placedBy, `${bookingId} has places of another move`);
        if (allocation.released) continue;
        const gotStuck = sweeps.some(({ stuck }) => stuck.includes(bookingId));
        invariant(!flight.cancelled || gotStuck, `${bookingId} was forgotten on a cancelled flight`);
        invariant(booking.departsAt === flight.departsAt || gotStuck, `${bookingId} departs at another time`);
        invariant(
          booking.seats.join() === allocation.seats.join(),
          `${bookingId} has other seats than its flight says`,
        );
        invariant(booking.cabin === allocation.cabin, `${bookingId} is in another cabin than its flight says`);
        invariant(booking.facts?.passengers.length === allocation.passengers, `${bookingId} has other places`);
        const keepsTooLittle = (kept: number) => 2 * kept < booking.total;
        const isRefunded = allocation.payment === "refunded";
        // A move counts in no quota of unpaid seats, whatever was refunded before.
        if (allocation.moveId !== undefined) continue;
        // Of what goes back from departure on the flight is not told.
        invariant(
          isRefunded ? keepsTooLittle(booking.moneyKept()) : !keepsTooLittle(booking.moneyKeptAtDeparture()),
          `${bookingId} keeps ${booking.moneyKept()}, and its flight takes it for ${allocation.payment}`,
        );
      }
    }
  }

  #settledBooking(bookingId: string, booking: BookingAudit, entries: ReadonlyMap<string, LedgerEntry>): void {
    invariant(booking.status !== "pending", `${bookingId} is pending for ever`);
    if (booking.status === "confirmed") {
      const flight = this.flights.get(booking.flightId);
      invariant(flight?.allocations.get(bookingId)?.released === false, `${bookingId} is confirmed and has no place`);
    }
    for (const [paymentId, payment] of booking.payments) {
      invariant(payment.outcome !== null, `${paymentId} is pending for ever`);
      const settled = [...payment.refunds.values()].every((refund) => refund.settled);
      invariant(settled, `a refund of ${paymentId} is pending for ever`);
      if (payment.method.type === "bank_transfer") continue;
      const entry = entries.get(paymentId);
      const taken = entry?.kind === "charged" && entry.outcome.status === "succeeded" ? entry.amount : 0;
      invariant(taken === (payment.outcome === "succeeded" ? payment.amount : 0), `${paymentId} took ${taken}`);
      const given = entry?.kind === "charged" ? entry.refunds.reduce((sum, refund) => sum + refund.amount, 0) : 0;
      invariant(given === refunded(payment), `${paymentId} gave back ${given} of ${refunded(payment)}`);
    }
  }

  bookingOf(bookingId: string): BookingAudit {
    const known = this.bookings.get(bookingId) ?? new BookingAudit(this.#sold);
    this.bookings.set(bookingId, known);
    return known;
  }

  #accountOf(accountId: string): LoyaltyAudit {
    const known = this.accounts.get(accountId) ?? new LoyaltyAudit();
    this.accounts.set(accountId, known);
    return known;
  }

  #flightOf(flightId: string): FlightAudit {
    const known = this.flights.get(flightId) ?? new FlightAudit(this.#sold);
    this.flights.set(flightId, known);
    return known;
  }

  #flight(flightId: string, event: FlightEvent): void {
    const flight = this.#flightOf(flightId);
    if (event.type === "AllocationReleased") {
      const { status, flightId: present, placedBy } = this.bookingOf(event.data.bookingId);
      const isItsOwn = present === flightId && placedBy === flight.allocations.get(event.data.bookingId)?.moveId;
      const isOver = status !== "pending" && status !== "confirmed";
      invariant(isOver || !isItsOwn, `the seats of a ${status} booking were released`);
    }
    if (event.type === "SeatChangeApplied" || event.type === "SeatChangeDropped") {
      const { bookingId, changeId } = event.data;
      const booking = this.bookingOf(bookingId);
      const change = flight.allocations.get(bookingId)?.change;
      const same = change?.cabin === null && change.seats.join() === booking.seats.join();
      const taken = booking.changesTaken.has(changeId);
      invariant(
        same || taken === (event.type === "SeatChangeApplied"),
        `${event.type} against what ${bookingId} decided`,
      );
    }
    flight.apply(event);
  }

  #departsThen(flightId: string, bookingId: string, departsAt: number): void {
    const known = this.flights.get(flightId)?.departures.includes(departsAt);
    invariant(known === true, `${bookingId} departs when its flight never did`);
  }

  #booking(bookingId: string, event: BookingEvent): void {
    const booking = this.bookingOf(bookingId);
    if (event.type === "BookingCreated") {
      const allocation = this.flights.get(event.data.flightId)?.allocations.get(bookingId);
      invariant(allocation !== undefined && !allocation.released, `${bookingId} was created without places`);
      invariant(allocation.sold.join() === event.data.seats.join(), `${bookingId} was created with other seats`);
      invariant(allocation.passengers === event.data.passengers.length, `${bookingId} was created with other places`);
      invariant(allocation.accountId === event.data.accountId, `${bookingId} was created for somebody else`);
      this.#departsThen(event.data.flightId, bookingId, event.data.departsAt);
      const ship = this.flights.get(event.data.flightId)?.shipAt(event.data.flightRevision ?? 0);
      if (ship !== undefined) booking.goesWith(ship.cabins);
    }
    if (event.type === "BookingDisrupted" || event.type === "CaseRevised") {
      const flight = this.flights.get(booking.flightId);
      const ship = flight?.shipAt(event.data.flightRevision);
      if (ship?.from === event.data.flightRevision) booking.goesWith(ship.cabins);
      if (event.type === "BookingDisrupted")
        invariant(
          flight?.disruptions.has(event.data.disruptionId) === true,
          `${bookingId} follows what its flight has not decided`,
        );
    }
    if (event.type === "BookingMoved") {
      const ship = this.flights.get(event.data.flightId)?.shipAt(event.data.flightRevision);
      if (ship !== undefined) booking.goesWith(ship.cabins);
    }
    if (event.type === "DepartureMoved") this.#departsThen(booking.flightId, bookingId, event.data.departsAt);
    if (event.type === "BookingChanged" && event.data.seats !== undefined && event.data.changeId === null) {
      const ships = this.flights.get(booking.flightId)?.ships ?? [];
      const places = ships.flatMap(({ seating }) => seating.filter((one) => one.bookingId === bookingId));
      const told = places.some(({ seats }) => seats.join() === event.data.seats?.join());
      invariant(told, `${bookingId} sits where its flight has not seated it`);
    } else if (event.type === "BookingChanged" && event.data.seats !== undefined) {
      const change = this.flights.get(booking.flightId)?.allocations.get(bookingId)?.change;
      invariant(change?.changeId === event.data.changeId, `${bookingId} took over a change that is not open`);
      invariant(change?.seats.join() === event.data.seats.join(), `${bookingId} took over other seats than reserved`);
    }
    if (event.type === "BookingMoved") {
      const { flightId, moveId, seats, departsAt } = event.data;
      const allocation = this.flights.get(flightId)?.allocations.get(bookingId);
      invariant(allocation?.released === false && allocation.moveId === moveId, `${bookingId} moved without places`);
      invariant(allocation.seats.join() === seats.join(), `${bookingId} moved to other seats`);
      invariant(allocation.cabin === booking.cabin, `${bookingId} moved to another cabin`);
      this.#departsThen(flightId, bookingId, departsAt);
    }
    if (event.type === "CabinChanged") {
      const change = this.flights.get(booking.flightId)?.allocations.get(bookingId)?.change;
      invariant(change?.changeId === event.data.changeId, `${bookingId} took over a cabin that is not reserved`);
      invariant(change?.cabin === event.data.cabin, `${bookingId} took over another cabin than reserved`);
    }
    if (event.type === "CabinUpgraded") {
      const change = this.flights.get(booking.flightId)?.allocations.get(bookingId)?.change;
      invariant(change?.changeId === event.data.redemptionId, `${bookingId} took over an upgrade that is not open`);
      invariant(change?.cabin === event.data.cabin, `${bookingId} took over another cabin than reserved`);
    }
    if (event.type === "TransferReceived") this.#bank.count(bookingId, event.data);
    if (event.type === "TransferReversed") this.#bank.letGo(bookingId, event.data);
    booking.apply(event);
  }
}
