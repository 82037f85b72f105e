import type { IncomingMessage } from "node:http";
import { addressPrefix, type ClientAddressResolver } from "../request/client-address.ts";
import type { RateLimiter, RateStatus } from "./rate-limiter.ts";

/** Limits what nobody can be held to account for by a credential: failed authentication and requests for tokens. */
export class AddressRateLimiter {
  readonly #limiter: RateLimiter;
  readonly #addresses: ClientAddressResolver;

  constructor(limiter: RateLimiter, addresses: ClientAddressResolver) {
    this.#limiter = limiter;
    this.#addresses = addresses;
  }

  count(request: IncomingMessage): RateStatus | undefined | Promise<RateStatus> {
    return this.#limiter.count(`address:${addressPrefix(this.#addresses.resolve(request))}`);
  }
}
