import { ApiClient } from "../../support/api-client.ts";
import { GIVE_UP_AFTER_MS, repeatUntilAnswered } from "../../support/repeat-until-answered.ts";

const PASSENGER = [{ name: "Ada Lovelace", email: "ada@example.com" }];

interface Booking {
  readonly id: string;
  readonly status: string;
}

interface Payment {
  readonly id: string;
  readonly status: string;
  readonly bookingId: string;
}

/** What was acknowledged, and what should not have been said. */
export interface AcknowledgedWrites {
  readonly bookings: Map<string, Booking>;
  readonly payments: Map<string, Payment>;
  readonly unexpectedResponses: unknown[];
  /** Requests that had to be repeated. */
  repeated: number;
}

/**
 * Clients that book and pay one after the other, each request under a key of its own, repeated with that key until it
 * is answered for good: as a careful client does while servers come and go.
 */
export class ClientJourneys {
  readonly acknowledged: AcknowledgedWrites = {
    bookings: new Map(),
    payments: new Map(),
    unexpectedResponses: [],
    repeated: 0,
  };
  readonly #api: ApiClient;
  readonly #flights: readonly string[];
  readonly #watchers = new Set<() => void>();
  #running = true;
  #clients: Promise<unknown> = Promise.resolve();
  #keys = 0;

  constructor(baseUrl: string, apiKey: string, flights: readonly string[]) {
    this.#api = new ApiClient(baseUrl, { apiKey });
    this.#flights = flights;
  }

  /** Also again, after a stop. */
  start(clients: number): void {
    this.#running = true;
    this.#clients = Promise.all(Array.from({ length: clients }, (_, index) => this.#client(index)));
  }

  /** Resolves when so many more payments are acknowledged than now. */
  async waitForPayments(payments: number): Promise<void> {
    const target = this.acknowledged.payments.size + payments;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const late = setTimeout(() => reject(new Error(`no ${payments} payments: ${this.#state()}`)), GIVE_UP_AFTER_MS);
    const look = () => {
      if (this.acknowledged.payments.size >= target) resolve();
    };
    this.#watchers.add(look);
    look();
    try {
      await promise;
    } finally {
      clearTimeout(late);
      this.#watchers.delete(look);
    }
  }

  /** Lets every client finish what it is about. */
  async stop(): Promise<AcknowledgedWrites> {
    this.#running = false;
    await this.#clients;
    return this.acknowledged;
  }

  #state(): string {
    const { bookings, payments, unexpectedResponses } = this.acknowledged;
    return `${bookings.size} bookings, ${payments.size} payments, ${JSON.stringify(unexpectedResponses.slice(0, 3))}`;
  }

  async #client(index: number): Promise<void> {
    while (this.#running) {
      try {
        await this.#journey(this.#flights[index % this.#flights.length] ?? "");
      } catch (error) {
        this.acknowledged.unexpectedResponses.push(error instanceof Error ? error.message : error);
        return;
      }
    }
  }

  async #journey(flightId: string): Promise<void> {
    const { bookings, payments } = this.acknowledged;
    const body = { flightId, cabin: "economy", passengers: PASSENGER };
    const booking = await this.#retryUntilDone<Booking>("/v1/bookings", body);
    bookings.set(booking.id, booking);
    const card = { type: "card", token: "tok_visa" };
    const payment = await this.#retryUntilDone<Payment>(`/v1/bookings/${booking.id}/payments`, card);
    payments.set(payment.id, payment);
    for (const look of this.#watchers) look();
  }

  async #retryUntilDone<Body>(path: string, body: unknown): Promise<Body> {
    this.#keys += 1;
    const key = { "Idempotency-Key": `journey-${this.#keys}` };
    let asked = false;
    const answer = await repeatUntilAnswered(() => {
      // Counted as it happens: who waits for it wants to know while nothing is answered yet.
      if (asked) this.acknowledged.repeated += 1;
      asked = true;
      return this.#api.post<Body>(path, body, key);
    });
    if (answer.status !== 201) throw new Error(`${path} was answered ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }
}
