import { Api } from "./api.ts";
import { AccessTokens, apiKeyCredentials, type Credentials } from "./credentials.ts";
import type { BoardingPassKeys, InterfaceDescription, Token } from "./generated.ts";
import { Bookings, Disruptions } from "./resources/bookings.ts";
import { Destinations, Flights, SeatHolds } from "./resources/catalogue.ts";
import { Loyalty, Passengers } from "./resources/customers.ts";
import { Events, WebhookEndpoints } from "./resources/events.ts";
import { Payments } from "./resources/payments.ts";
import { type CallOptions, Transport, type TransportOptions } from "./transport.ts";

/** An API key, an OAuth client whose access tokens are fetched and renewed as needed, or whoever hands out such tokens. */
export type ClientOptions = TransportOptions &
  (
    | { readonly apiKey: string }
    | {
        /** Called for each new token; returns what the token endpoint answered to somebody who may hold the secret. */
        readonly accessToken: () => Promise<Pick<Token, "access_token" | "expires_in">>;
      }
    | {
        readonly clientId: string;
        readonly clientSecret: string;
        /** Separated by spaces; every scope the client may use where it is left out. */
        readonly scope?: string | undefined;
      }
  );

/** A client of the Travel Booking Service. */
export class TravelBooking {
  readonly destinations: Destinations;
  readonly flights: Flights;
  readonly seatHolds: SeatHolds;
  readonly bookings: Bookings;
  readonly disruptions: Disruptions;
  readonly passengers: Passengers;
  readonly payments: Payments;
  readonly loyalty: Loyalty;
  readonly events: Events;
  readonly webhookEndpoints: WebhookEndpoints;
  readonly #api: Api;

  constructor(options: ClientOptions) {
    const transport = new Transport(options);
    const api = new Api(transport, credentialsOf(options, transport));
    this.#api = api;
    this.destinations = new Destinations(api);
    this.flights = new Flights(api);
    this.seatHolds = new SeatHolds(api);
    this.bookings = new Bookings(api);
    this.disruptions = new Disruptions(api);
    this.passengers = new Passengers(api);
    this.payments = new Payments(api);
    this.loyalty = new Loyalty(api);
    this.events = new Events(api);
    this.webhookEndpoints = new WebhookEndpoints(api);
  }

  /** The keys that barcodes of boarding passes are signed with: whoever has them checks one offline. */
  boardingPassKeys(options?: CallOptions): Promise<BoardingPassKeys> {
    return this.#api.call("get", "/.well-known/boarding-pass-keys", {}, options);
  }

  /** The OpenAPI document of the service. */
  interfaceDescription(options?: CallOptions): Promise<InterfaceDescription> {
    return this.#api.call("get", "/v1/openapi.json", {}, options);
  }
}

function credentialsOf(options: ClientOptions, transport: Transport): Credentials {
  if ("apiKey" in options) return apiKeyCredentials(options.apiKey);
  if ("accessToken" in options) return new AccessTokens(options.accessToken);
  const { clientId, clientSecret, scope } = options;
  const form = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
  const body = new URLSearchParams(scope === undefined ? form : { ...form, scope });
  // The call that needs the token tries again.
  return new AccessTokens(() =>
    transport.send(
      { method: "post", path: "/v1/oauth/token", body, credentials: null },
      { maxRetries: 0 },
      (response) => response.json() as Promise<Token>,
    ),
  );
}
