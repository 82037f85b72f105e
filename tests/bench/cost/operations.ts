import { economySeat } from "../data/bench-flights.ts";
import { bookingRequest } from "../data/booking-request.ts";
import type { Contents } from "../data/population.ts";
import type { RequestTemplate } from "../load/job.ts";

/** The next requests, each on another flight or booking, of all accounts in turn. */
export class Operations {
  readonly #contents: Contents;
  #booked = 0;
  #held = 0;
  #changed = 0;

  constructor(contents: Contents) {
    this.#contents = contents;
  }

  book(count: number, flights: readonly string[]): readonly RequestTemplate[] {
    return Array.from({ length: count }, () => {
      const number = this.#booked++;
      const body = bookingRequest(flights[number % flights.length] ?? "");
      return { method: "POST", path: "/v1/bookings", headers: this.#key(number), body };
    });
  }

  /** One seat each, from the back of the flights that have room. */
  hold(count: number): readonly RequestTemplate[] {
    const { open } = this.#contents;
    return Array.from({ length: count }, () => {
      const number = this.#held++;
      const seat = economySeat(-1 - Math.floor(number / open.length));
      const path = `/v1/flights/${open[number % open.length]}/seat-holds`;
      return { method: "POST", path, headers: this.#key(number), body: JSON.stringify({ seats: [seat] }) };
    });
  }

  /** The bookings as `book` has made them last. */
  pay(bookingIds: readonly string[], token = "tok_visa"): readonly RequestTemplate[] {
    const first = this.#booked - bookingIds.length;
    const body = JSON.stringify({ type: "card", token });
    return bookingIds.map((id, index) => {
      const headers = { ...this.#key(first + index), "Idempotency-Key": `pay-${id}` };
      return { method: "POST", path: `/v1/bookings/${id}/payments`, headers, body };
    });
  }

  /** Another reference for these bookings in turn. */
  change(count: number, numbers: readonly number[]): readonly RequestTemplate[] {
    return Array.from({ length: count }, () => {
      const change = this.#changed++;
      const number = numbers[change % numbers.length] ?? 0;
      const body = JSON.stringify({ reference: `CHANGED-${change}` });
      return { method: "PATCH", path: this.#path(number), headers: this.#key(number), body };
    });
  }

  /** Any of the bookings in the store. */
  get(count: number): readonly RequestTemplate[] {
    const { bookings } = this.#contents;
    return Array.from({ length: count }, () => {
      const number = Math.floor(Math.random() * bookings.length);
      return { method: "GET", path: this.#path(number), headers: this.#key(number) };
    });
  }

  list(count: number): readonly RequestTemplate[] {
    return Array.from({ length: count }, (_, number) => {
      return { method: "GET", path: "/v1/bookings?limit=20", headers: this.#key(number) };
    });
  }

  /** The other key of the account that makes this request. */
  readerOf({ headers }: RequestTemplate): RequestTemplate["headers"] {
    const account = this.#contents.accounts.find(({ apiKey }) => apiKey === headers["x-api-key"]);
    return { "x-api-key": account?.readerKey ?? "" };
  }

  #path(number: number): string {
    return `/v1/bookings/${this.#contents.bookings[number]}`;
  }

  #key(number: number): RequestTemplate["headers"] {
    const { accounts } = this.#contents;
    return { "x-api-key": accounts[number % accounts.length]?.apiKey ?? "" };
  }
}
