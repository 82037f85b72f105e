import {
  automaticRefundId,
  type BookingCommand,
  bookingDecider,
  type FlightPlan,
  flightDecider,
  loyaltyDecider,
  paymentIdOf,
  pointsFor,
} from "@travel-booking/domain";
import { bookingIdOf, holdIdOf, randomDigitsOf } from "@travel-booking/runtime";
import { economySeat } from "./bench-flights.ts";
import type { BenchAccount, Journal } from "./journal.ts";

const POINTS_RATE = { points: 1, per: 100 };
const CARD = { brand: "visa", last4: "4242", expMonth: 12, expYear: 2031 };

/** A booking as far as its later events need it. */
export interface Booked {
  readonly bookingId: string;
  readonly number: number;
  readonly flight: FlightPlan;
  readonly account: BenchAccount;
  /** Null where it was never paid. */
  readonly paymentId: string | null;
}

/** What happens to bookings: how many choose seats, pay, change and cancel. */
export class BookingLives {
  readonly #journal: Journal;
  readonly #random: () => number;
  readonly #seatsChosen = new Map<string, number>();

  constructor(journal: Journal, random: () => number) {
    this.#journal = journal;
    this.#random = random;
  }

  #happens(probability: number): boolean {
    return this.#random() < probability;
  }

  /** Perhaps held, allocated and created, and mostly paid. On a flight `withSeats` always so, and with seats. */
  book(number: number, flight: FlightPlan, account: BenchAccount, withSeats: boolean): Booked {
    const journal = this.#journal;
    const { accountId } = account;
    const { flightId, departsAt } = flight;
    const passengers = Array.from({ length: 1 + Math.floor(this.#random() * 3) }, (_, index) => ({
      name: `Passenger ${number}-${index}`,
      email: `passenger-${number}-${index}@example.com`,
    }));
    const cabin = "economy";
    const count = passengers.length;
    const seats = withSeats || this.#happens(0.5) ? this.#nextSeats(flightId, count) : [];
    const holdId = seats.length > 0 && this.#happens(0.5) ? this.#hold(flightId, account, seats) : null;

    const request = journal.request(account);
    const bookingId = bookingIdOf(request.commandId);
    const allocate = { type: "AllocateSeats", bookingId, accountId, cabin, passengers: count, seats, holdId } as const;
    const [allocated] = journal.decide(`flight-${flightId}`, flightDecider, allocate, request);
    if (allocated?.type !== "SeatsAllocated") throw new Error(`${flightId} has not allocated seats`);
    const { fareAmount, surcharges, currency } = allocated.data;
    const price = { fareAmount, surcharges, currency, pointsRate: POINTS_RATE, creditApplied: 0 };
    const reference = this.#happens(0.5) ? `REF-${number}` : null;
    const create = { type: "CreateBooking", bookingId, accountId, flightId, cabin, departsAt, passengers } as const;
    journal.decide(`booking-${bookingId}`, bookingDecider, { ...create, seats, ...price, reference }, request, 1);
    const paymentId = withSeats || this.#happens(0.95) ? this.#pay(bookingId, account) : null;
    return { bookingId, number, flight, account, paymentId };
  }

  /** Days later: its flight has departed, it expires unpaid, is cancelled and refunded, or goes on, perhaps changed. */
  goOn(booked: Booked): boolean {
    const isConfirmed = this.#goOn(booked);
    this.#journal.forget(`booking-${booked.bookingId}`);
    return isConfirmed;
  }

  #goOn(booked: Booked): boolean {
    const { bookingId, number, flight, account, paymentId } = booked;
    const { accountId } = account;
    const decide = (command: BookingCommand) =>
      this.#journal.decide(`booking-${bookingId}`, bookingDecider, command, this.#journal.request(account));
    if (this.#journal.now >= flight.departsAt) {
      this.#fly(booked);
      return false;
    }
    if (paymentId === null) {
      decide({ type: "ExpireBooking" });
      this.#release(booked);
      return false;
    }
    if (this.#happens(0.08)) {
      decide({ type: "CancelBooking", accountId, reason: null });
      this.#release(booked);
      decide({ type: "SettleRefund", refundId: automaticRefundId(paymentId) });
      return false;
    }
    if (this.#happens(0.2)) decide({ type: "ChangeBooking", accountId, reference: `NEW-${number}` });
    return true;
  }

  /** The next seats from the front that nobody has chosen. */
  #nextSeats(flightId: string, count: number): readonly string[] {
    const first = this.#seatsChosen.get(flightId) ?? 0;
    this.#seatsChosen.set(flightId, first + count);
    return Array.from({ length: count }, (_, index) => economySeat(first + index));
  }

  /** Some think again first. */
  #hold(flightId: string, account: BenchAccount, seats: readonly string[]): string {
    const { accountId } = account;
    const stream = `flight-${flightId}`;
    for (;;) {
      const request = this.#journal.request(account);
      const holdId = holdIdOf(request.commandId);
      this.#journal.decide(stream, flightDecider, { type: "HoldSeats", holdId, accountId, seats }, request);
      if (this.#happens(0.8)) return holdId;
      const release = { type: "ReleaseHold", holdId, accountId } as const;
      this.#journal.decide(stream, flightDecider, release, this.#journal.request(account));
    }
  }

  #pay(bookingId: string, account: BenchAccount): string {
    const { accountId } = account;
    const stream = `booking-${bookingId}`;
    const request = this.#journal.request(account);
    const paymentId = paymentIdOf(bookingId, randomDigitsOf(request.commandId));
    const method = { type: "card", card: CARD, saveCard: false } as const;
    const start = { type: "StartPayment", accountId, paymentId, method, metadata: [] } as const;
    this.#journal.decide(stream, bookingDecider, start, request);
    const outcome = { type: "RecordPaymentOutcome", paymentId, outcome: { status: "succeeded" } } as const;
    this.#journal.decide(stream, bookingDecider, outcome, request, 1);
    return paymentId;
  }

  #release({ bookingId, flight, account }: Booked): void {
    const release = { type: "ReleaseAllocation", bookingId } as const;
    this.#journal.decide(`flight-${flight.flightId}`, flightDecider, release, this.#journal.request(account));
  }

  #fly({ bookingId, flight, account }: Booked): void {
    const { accountId } = account;
    const journal = this.#journal;
    const depart = { type: "RecordDeparture" } as const;
    const flown = journal
      .decide(`booking-${bookingId}`, bookingDecider, depart, journal.request(account))
      .find((event) => event.type === "BookingFlown");
    if (flown === undefined) throw new Error(`${bookingId} has not departed`);
    const { amount, pending } = flown.data;
    const points = pointsFor(amount, POINTS_RATE);
    const { departsAt } = flight;
    const post = {
      type: "PostBooking",
      accountId,
      bookingId,
      departsAt,
      amount,
      points,
      pending,
      refundIds: [],
    } as const;
    journal.decide(`loyalty-${accountId}`, loyaltyDecider, post, journal.request(account));
  }
}
