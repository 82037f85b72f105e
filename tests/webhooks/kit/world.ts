import type { ReceivedEvent, Receiver } from "@travel-booking/webhooks/receiver/testing";
import { ApiClient } from "../../support/api-client.ts";
import { importFlights } from "../../support/catalogue.ts";
import { newDataDir, Service, type ServiceOptions } from "../../support/service.ts";
import { until } from "../../support/until.ts";

export const ENVIRONMENT = {
  SANDBOX_CLOCK: "true",
  RATE_LIMIT_PER_MINUTE: "0",
  // One account books the only flight many times.
  QUOTA_UNPAID_SEATS_PERCENT: "100",
  WEBHOOK_ALLOW_PRIVATE_TARGETS: "true",
  LOG_LEVEL: "warn",
};
const FLIGHT = "WH-1";
const PASSENGERS = [{ name: "Ada Lovelace", email: "ada@example.com" }];

export interface Endpoint {
  readonly id: string;
  readonly url: string;
  readonly secret: string;
}

/** The real service with a flight and an account, and the actions of a customer. */
export class World {
  service: Service;
  readonly #credential: { readonly apiKey: string };

  private constructor(service: Service, credential: { readonly apiKey: string }) {
    this.service = service;
    this.#credential = credential;
  }

  static async open(): Promise<World> {
    const service = await Service.start({ env: ENVIRONMENT, dataDir: newDataDir() });
    await importFlights(service, [{ id: FLIGHT, departsIn: 300 }]);
    return new World(service, await service.newApiKey());
  }

  get api(): ApiClient {
    return new ApiClient(this.service.baseUrl, this.#credential);
  }

  async close(): Promise<void> {
    await this.service.discard();
  }

  /** Starts the service again on the same data. */
  async start(options: Pick<ServiceOptions, "simulated"> = {}): Promise<void> {
    this.service = await Service.start({ dataDir: this.service.dataDir, env: ENVIRONMENT, ...options });
  }

  async endpoint(url: string, events = ALL_TYPES): Promise<Endpoint> {
    const { status, body } = await this.api.post<Endpoint>("/v1/webhook-endpoints", { url, events });
    if (status !== 201) throw new Error(JSON.stringify(body));
    return body;
  }

  async book(): Promise<string> {
    const { status, body } = await this.api.post<{ id: string }>("/v1/bookings", {
      flightId: FLIGHT,
      cabin: "economy",
      passengers: PASSENGERS,
    });
    if (status !== 201) throw new Error(JSON.stringify(body));
    return body.id;
  }

  /** Makes one `booking.changed`. */
  async change(bookingId: string, reference: string): Promise<void> {
    const { status, body } = await this.api.patch(`/v1/bookings/${bookingId}`, { reference });
    if (status !== 200) throw new Error(JSON.stringify(body));
  }

  /** Makes `payment.succeeded`, then `booking.confirmed`. */
  async pay(bookingId: string): Promise<void> {
    const { status, body } = await this.api.post(
      `/v1/bookings/${bookingId}/payments`,
      { type: "card", token: "tok_visa" },
      { "Idempotency-Key": `pay-${bookingId}` },
    );
    if (status !== 201) throw new Error(JSON.stringify(body));
  }

  /** A booking that does not expire; its events have been delivered and dropped from the receiver. */
  async paidBooking(receiver: Receiver): Promise<string> {
    const bookingId = await this.book();
    await this.pay(bookingId);
    await receiver.until(() => receiver.idsOfBooking(bookingId).length === 2);
    receiver.received.length = 0;
    return bookingId;
  }

  /** Ids of a booking's events behind its payment, oldest first. */
  async changesOf(bookingId: string): Promise<readonly string[]> {
    return (await this.eventsOf(bookingId)).filter(({ type }) => type === "booking.changed").map(({ id }) => id);
  }

  /** All events of a booking, oldest first. */
  async eventsOf(bookingId: string): Promise<readonly ReceivedEvent[]> {
    const { body } = await this.api.get<{ data: readonly ReceivedEvent[] }>(
      `/v1/events?bookingId=${bookingId}&order=asc&limit=100`,
    );
    return body.data;
  }

  async advance(seconds: number): Promise<void> {
    const { status, body } = await this.service.operator("POST", "/clock/advance", { seconds });
    if (status !== 200) throw new Error(JSON.stringify(body));
  }

  async status({ id }: Pick<Endpoint, "id">) {
    return (await this.api.get<Readonly<Record<string, unknown>>>(`/v1/webhook-endpoints/${id}/status`)).body;
  }

  /** Resolves when the received deliveries have been recorded, too. */
  async untilNothingIsPending(endpoint: Pick<Endpoint, "id">): Promise<void> {
    await until(async () => (await this.status(endpoint)).owed === 0);
  }
}

const ALL_TYPES: readonly string[] = [
  "booking.confirmed",
  "booking.changed",
  "booking.cancelled",
  "payment.succeeded",
  "payment.failed",
];
