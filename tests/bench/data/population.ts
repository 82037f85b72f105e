import {
  accountDecider,
  destinationDecider,
  type FlightPlan,
  flightDecider,
  loyaltyDecider,
  SCOPES,
} from "@travel-booking/domain";
import { generateApiKey, hashSecret } from "@travel-booking/http";
import { accountIdOf, credentialIdOf } from "@travel-booking/runtime";
import { DESTINATION, flightPlan } from "./bench-flights.ts";
import { type Booked, BookingLives } from "./booking-lives.ts";
import { type Append, type BenchAccount, Journal } from "./journal.ts";
import { randomNumbers } from "./random-numbers.ts";

const DAY = 86_400_000;
/** From the first event to the last. */
const SPAN = 60 * DAY;
/** A booking goes on after so many others, as a share of all. */
const LATER = 0.2;
const FLOWN_FLIGHTS = 0.1;
const FLOWN_BOOKINGS = 0.1;
const FULL_FLIGHTS = 0.3;
/** Of the bookings on flights to come. */
const BOOKINGS_ON_FULL = 0.6;
const BOOKINGS_PER_ACCOUNT = 1_000;

export interface PopulationSize {
  readonly bookings: number;
  /** With bookings; a third as many have none. */
  readonly flights: number;
}

/** What a filled log holds, as the load needs to know it. */
export interface Contents {
  readonly accounts: readonly BenchAccount[];
  /** Ids; number n belongs to account n modulo their number. */
  readonly bookings: readonly string[];
  /** Numbers of those that are confirmed and not flown. */
  readonly confirmed: readonly number[];
  /** Flights to come, by how far they are sold: with 167 bookings a flight about 600 of 800 seats, about 200, none. */
  readonly full: readonly string[];
  readonly open: readonly string[];
  readonly unsold: readonly string[];
}

/**
 * The log of a service that has been in use for two months, decided by the domain: accounts, flights, bookings with and
 * without seats, most of them paid, some changed, cancelled and refunded, and the points of those flown. When it ends at
 * `now`, nothing of it is due.
 */
export class Population {
  readonly #size: PopulationSize;
  readonly #startsAt: number;
  readonly #journal: Journal;
  readonly #random = randomNumbers(1);
  readonly #accounts: BenchAccount[] = [];
  readonly #bookings: string[] = [];
  readonly #confirmed: number[] = [];
  readonly #flights: Readonly<Record<"flown" | "full" | "open" | "unsold", readonly FlightPlan[]>>;

  constructor(size: PopulationSize, now: number) {
    this.#size = size;
    this.#startsAt = now - SPAN;
    this.#journal = new Journal(this.#startsAt);
    const flights = (kind: string, share: number, departsAt: number): readonly FlightPlan[] => {
      const length = Math.max(1, Math.round(share * size.flights));
      return Array.from({ length }, (_, index) => flightPlan(`${kind}-${index}`, departsAt));
    };
    this.#flights = {
      flown: flights("flown", FLOWN_FLIGHTS, this.#startsAt + Math.floor((SPAN * (FLOWN_BOOKINGS + LATER)) / 2)),
      full: flights("full", FULL_FLIGHTS, now + 100 * DAY),
      open: flights("open", 1 - FLOWN_FLIGHTS - FULL_FLIGHTS, now + 200 * DAY),
      unsold: flights("unsold", FULL_FLIGHTS, now + 300 * DAY),
    };
  }

  /** Complete when all appends were taken. */
  contents(): Contents {
    const ids = (flights: readonly FlightPlan[]) => flights.map(({ flightId }) => flightId);
    const { full, open, unsold } = this.#flights;
    return {
      accounts: this.#accounts,
      bookings: this.#bookings,
      confirmed: this.#confirmed,
      full: ids(full),
      open: ids(open),
      unsold: ids(unsold),
    };
  }

  /** In the order of the log. */
  *appends(): Generator<Append> {
    const { bookings } = this.#size;
    this.#openAccounts();
    this.#publishCatalogue();
    yield* this.#journal.take();
    const lives = new BookingLives(this.#journal, this.#random);
    const later = Math.ceil(bookings * LATER);
    const interval = SPAN / (bookings + later + 1);
    const made: Booked[] = [];
    for (let number = 0; number < bookings + later; number += 1) {
      this.#journal.now = Math.floor(this.#startsAt + (number + 1) * interval);
      if (number < bookings) made.push(this.#book(lives, number));
      const old = made[number - later];
      if (old !== undefined && lives.goOn(old)) this.#confirmed.push(old.number);
      yield* this.#journal.take();
    }
  }

  #book(lives: BookingLives, number: number): Booked {
    const { flown, full, open } = this.#flights;
    const departs = number < this.#size.bookings * FLOWN_BOOKINGS;
    const flights = departs ? flown : this.#random() < BOOKINGS_ON_FULL ? full : open;
    const flight = at(flights, Math.floor(this.#random() * flights.length));
    const booked = lives.book(number, flight, at(this.#accounts, number % this.#accounts.length), departs);
    this.#bookings.push(booked.bookingId);
    return booked;
  }

  /** Each with two keys of all scopes and some points. */
  #openAccounts(): void {
    const journal = this.#journal;
    const count = Math.max(2, Math.ceil(this.#size.bookings / BOOKINGS_PER_ACCOUNT));
    for (let number = 0; number < count; number += 1) {
      const commandId = journal.nextCommandId();
      const accountId = accountIdOf(commandId);
      const account = {
        accountId,
        credentialId: credentialIdOf(journal.nextCommandId()),
        apiKey: generateApiKey(),
        readerKey: generateApiKey(),
      };
      const stream = `account-${accountId}`;
      const open = { type: "OpenAccount", accountId, name: `Agency ${number}`, apiVersion: "2026-11-01" } as const;
      journal.decide(stream, accountDecider, open, { commandId, account });
      const readerId = credentialIdOf(journal.nextCommandId());
      for (const [credentialId, key] of [
        [account.credentialId, account.apiKey],
        [readerId, account.readerKey],
      ] as const) {
        const issued = { kind: "api-key", name: null, scopes: SCOPES, clientId: null } as const;
        const issue = { type: "IssueCredential", credentialId, ...issued, secretHash: hashSecret(key) } as const;
        journal.decide(stream, accountDecider, issue, journal.request(account));
      }
      const adjustment = { adjustmentId: commandId, points: 500, reason: "welcome" };
      const adjust = { type: "AdjustPoints", accountId, ...adjustment } as const;
      journal.decide(`loyalty-${accountId}`, loyaltyDecider, adjust, journal.request(account));
      this.#accounts.push(account);
    }
  }

  #publishCatalogue(): void {
    const journal = this.#journal;
    const account = at(this.#accounts, 0);
    const list = { type: "ListDestination", destination: DESTINATION } as const;
    journal.decide(`destination-${DESTINATION.id}`, destinationDecider, list, journal.request(account));
    for (const plan of Object.values(this.#flights).flat()) {
      const schedule = { type: "ScheduleFlight", plan } as const;
      journal.decide(`flight-${plan.flightId}`, flightDecider, schedule, journal.request(account));
    }
  }
}

function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index];
  if (item === undefined) throw new RangeError(`there is no item ${index}`);
  return item;
}
