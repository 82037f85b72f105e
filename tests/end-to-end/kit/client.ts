import type { BookingBody, FlightBody, PaymentBody, SeatHoldBody } from "@travel-booking/api-contract";
import { retryWhileStale } from "../../support/retry-while-stale.ts";
import { serializeBody } from "../../support/serialize-body.ts";
import { BEHIND_PROXY } from "./behind-proxy.ts";
import { checkResponse } from "./check-response.ts";
import { OpenApiChecker } from "./openapi-checker.ts";
import type { TestResponse } from "./test-response.ts";

export type Credential = { readonly apiKey: string } | { readonly accessToken: string };

type Headers = Readonly<Record<string, string>>;

export interface RequestOptions {
  /** Text and bytes go as they are, anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Headers;
}

export interface Page<Item> {
  readonly data: readonly Item[];
  readonly page: { readonly nextCursor: string | null; readonly hasMore: boolean };
}

export const ADA = { name: "Ada Lovelace", email: "ada@example.com" };
export const ALAN = { name: "Alan Turing", email: "alan@example.com" };

let keys = 0;
/** An Idempotency-Key nobody has used. */
export function newKey(): string {
  keys += 1;
  return `key-${process.pid}-${keys}`;
}

/** A client of the public API, with one credential or none. Every answer is checked before it is handed on. */
export class Client {
  readonly baseUrl: string;
  readonly #credential: Headers;

  constructor(baseUrl: string, credential?: Credential) {
    this.baseUrl = baseUrl;
    this.#credential = headersOf(credential);
  }

  async send<Body = unknown>(method: string, path: string, sent: RequestOptions = {}): Promise<TestResponse<Body>> {
    const ask = () => this.#ask<Body>(method, path, sent);
    const answer = await (BEHIND_PROXY ? retryWhileStale(ask) : ask());
    const request = { credential: Object.keys(this.#credential).length > 0, headers: {}, ...sent };
    checkResponse(answer, request, await OpenApiChecker.of(this.baseUrl));
    return answer;
  }

  async #ask<Body>(method: string, path: string, { body, headers = {} }: RequestOptions): Promise<TestResponse<Body>> {
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      redirect: "manual",
      headers: {
        ...this.#credential,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: serializeBody(body) }),
    });
    const text = await response.text();
    return {
      method,
      path,
      status: response.status,
      headers: response.headers,
      text,
      body: parseBody(text) as Body,
    };
  }

  get<Body = unknown>(path: string, headers?: Headers): Promise<TestResponse<Body>> {
    return this.send<Body>("GET", path, { ...(headers && { headers }) });
  }

  post<Body = unknown>(path: string, body?: unknown, headers?: Headers): Promise<TestResponse<Body>> {
    return this.send<Body>("POST", path, { body, ...(headers && { headers }) });
  }

  patch<Body = unknown>(path: string, body?: unknown, headers?: Headers): Promise<TestResponse<Body>> {
    return this.send<Body>("PATCH", path, { body, ...(headers && { headers }) });
  }

  hold(flightId: string, seats: readonly string[], headers?: Headers): Promise<TestResponse<SeatHoldBody>> {
    return this.post<SeatHoldBody>(`/v1/flights/${flightId}/seat-holds`, { seats }, headers);
  }

  /** A booking in economy for Ada, unless told otherwise. */
  book(flightId: string, more: object = {}, headers?: Headers): Promise<TestResponse<BookingBody>> {
    return this.post<BookingBody>("/v1/bookings", { flightId, cabin: "economy", passengers: [ADA], ...more }, headers);
  }

  /** By card, unless told otherwise. */
  pay(bookingId: string, body: object = {}, key: string = newKey()): Promise<TestResponse<PaymentBody>> {
    return this.post<PaymentBody>(
      `/v1/bookings/${bookingId}/payments`,
      "type" in body ? body : { type: "card", token: "tok_visa", ...body },
      { "idempotency-key": key },
    );
  }

  cancel(bookingId: string, body?: unknown, headers?: Headers): Promise<TestResponse<BookingBody>> {
    return this.post<BookingBody>(`/v1/bookings/${bookingId}/cancel`, body, headers);
  }

  /** The booking must be there. */
  async booking(bookingId: string): Promise<BookingBody> {
    return expectStatus(200, await this.get<BookingBody>(`/v1/bookings/${bookingId}`));
  }

  /** The payment must be there. */
  async payment(paymentId: string): Promise<PaymentBody> {
    return expectStatus(200, await this.get<PaymentBody>(`/v1/payments/${paymentId}`));
  }

  async seatsLeft(flightId: string, cabin = "economy"): Promise<number | undefined> {
    const flight = expectStatus(200, await this.get<FlightBody>(`/v1/flights/${flightId}`));
    return flight.fares.find((fare) => fare.cabin === cabin)?.seatsLeft;
  }

  /** A booking that is there, and is answered. */
  async newBooking(flightId: string, more: object = {}): Promise<BookingBody> {
    return expectStatus(201, await this.book(flightId, more));
  }

  /** A booking that is paid by card. */
  async paidBooking(flightId: string, more: object = {}): Promise<{ booking: BookingBody; payment: PaymentBody }> {
    const { id } = await this.newBooking(flightId, more);
    const payment = expectStatus(201, await this.pay(id));
    return { booking: await this.booking(id), payment };
  }
}

/** The body of an answer that must have this status. */
export function expectStatus<Body>(status: number, answer: TestResponse<Body>): Body {
  if (answer.status !== status) throw new Error(`${status} was expected: ${answer.status} ${answer.text}`);
  return answer.body;
}

function headersOf(credential: Credential | undefined): Headers {
  if (credential === undefined) return {};
  return "apiKey" in credential
    ? { "x-api-key": credential.apiKey }
    : { authorization: `Bearer ${credential.accessToken}` };
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
