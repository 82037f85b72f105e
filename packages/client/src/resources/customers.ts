import type { Api } from "../api.ts";
import type {
  ChangePassenger,
  CreatePassenger,
  CreateRedemption,
  LoyaltyAccount,
  LoyaltyTransaction,
  PassengerProfile,
  Redemption,
} from "../generated.ts";
import type { Listing } from "../listing.ts";
import type { CallOptions, CommandOptions } from "../transport.ts";
import type { QueryOf } from "../types.ts";

export class Passengers {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  create(body: CreatePassenger, options?: CommandOptions): Promise<PassengerProfile> {
    return this.#api.call("post", "/v1/passengers", { body }, options);
  }

  /** Newest first. */
  list(query?: QueryOf<"get", "/v1/passengers">, options?: CallOptions): Listing<PassengerProfile> {
    return this.#api.list("/v1/passengers", { query }, options);
  }

  retrieve(id: string, options?: CallOptions): Promise<PassengerProfile> {
    return this.#api.call("get", "/v1/passengers/{id}", { ids: { id } }, options);
  }

  /** Only what changes. */
  update(id: string, body: ChangePassenger, options?: CommandOptions): Promise<PassengerProfile> {
    return this.#api.call("patch", "/v1/passengers/{id}", { ids: { id }, body }, options);
  }

  delete(id: string, options?: CallOptions): Promise<void> {
    return this.#api.call("delete", "/v1/passengers/{id}", { ids: { id } }, options);
  }
}

export class Loyalty {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  account(options?: CallOptions): Promise<LoyaltyAccount> {
    return this.#api.call("get", "/v1/loyalty/account", {}, options);
  }

  /** Newest first. */
  transactions(query?: QueryOf<"get", "/v1/loyalty/transactions">, options?: CallOptions): Listing<LoyaltyTransaction> {
    return this.#api.list("/v1/loyalty/transactions", { query }, options);
  }

  redeem(body: CreateRedemption, options?: CommandOptions): Promise<Redemption> {
    return this.#api.call("post", "/v1/loyalty/redemptions", { body }, options);
  }
}
