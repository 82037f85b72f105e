import type { Api } from "../api.ts";
import type { CreateSeatHold, Destination, Flight, FlightStatusReport, SeatHold, SeatMap } from "../generated.ts";
import type { Listing } from "../listing.ts";
import type { CallOptions, CommandOptions } from "../transport.ts";
import type { QueryOf } from "../types.ts";

export class Destinations {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Newest first. */
  list(query?: QueryOf<"get", "/v1/destinations">, options?: CallOptions): Listing<Destination> {
    return this.#api.list("/v1/destinations", { query }, options);
  }

  retrieve(id: string, options?: CallOptions): Promise<Destination> {
    return this.#api.call("get", "/v1/destinations/{id}", { ids: { id } }, options);
  }
}

export class Flights {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** By departure time. Without `departsAfter`, past flights too. */
  list(query?: QueryOf<"get", "/v1/flights">, options?: CallOptions): Listing<Flight> {
    return this.#api.list("/v1/flights", { query }, options);
  }

  retrieve(id: string, options?: CallOptions): Promise<Flight> {
    return this.#api.call("get", "/v1/flights/{id}", { ids: { id } }, options);
  }

  /** Whether it goes as it was sold, and what has changed. */
  status(id: string, options?: CallOptions): Promise<FlightStatusReport> {
    return this.#api.call("get", "/v1/flights/{id}/status", { ids: { id } }, options);
  }

  seatMap(id: string, options?: CallOptions): Promise<SeatMap> {
    return this.#api.call("get", "/v1/flights/{id}/seat-map", { ids: { id } }, options);
  }

  /** @deprecated `list` has pages. */
  search(query?: QueryOf<"get", "/v1/flights/search">, options?: CallOptions): Promise<Flight[]> {
    return this.#api.call("get", "/v1/flights/search", { query }, options);
  }
}

export class SeatHolds {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** All of the seats or none, for 15 minutes. */
  create(flightId: string, body: CreateSeatHold, options?: CommandOptions): Promise<SeatHold> {
    return this.#api.call("post", "/v1/flights/{id}/seat-holds", { ids: { id: flightId }, body }, options);
  }

  /** Also one that has ended. */
  retrieve(flightId: string, holdId: string, options?: CallOptions): Promise<SeatHold> {
    return this.#api.call("get", "/v1/flights/{id}/seat-holds/{holdId}", { ids: { id: flightId, holdId } }, options);
  }

  release(flightId: string, holdId: string, options?: CallOptions): Promise<void> {
    return this.#api.call("delete", "/v1/flights/{id}/seat-holds/{holdId}", { ids: { id: flightId, holdId } }, options);
  }
}
