import type { IncomingMessage } from "node:http";
import { addressGroup, type ClientAddresses } from "../request/client-address.ts";
import type { RateLimiter, RateStatus } from "./rate-limiter.ts";

/** Limits what nobody can be held to account for by a credential: failed authentication and requests for tokens. */
export class AddressLimit {
  readonly #limiter: RateLimiter;
  readonly #addresses: ClientAddresses;

  constructor(limiter: RateLimiter, addresses: ClientAddresses) {
    this.#limiter = limiter;
    this.#addresses = addresses;
  }

  count(request: IncomingMessage): RateStatus | undefined | Promise<RateStatus> {
    return this.#limiter.count(`address:${addressGroup(this.#addresses.of(request))}`);
  }
}
