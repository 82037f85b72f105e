import type { IncomingMessage } from "node:http";
import { isIP, type Socket } from "node:net";
import type { RateCounter } from "@travel-booking/engines/rate-counter";
import type { Clock } from "@travel-booking/runtime";
import ipaddr from "ipaddr.js";
import proxyAddr from "proxy-addr";
import { AddressList } from "./address-list.ts";
import { errorResponse } from "./error-response.ts";
import type { ApiResponse, RateStatus } from "./route.ts";

const WINDOW_MS = 60_000;

interface RateLimiterOptions {
  /** Per key and minute; 0: no limit at all. */
  readonly perMinute: number;
  readonly counter: RateCounter;
  readonly clock: Clock;
}

/** Limits requests per key in fixed windows of one minute, by the service's clock. */
export class RateLimiter {
  readonly #perMinute: number;
  readonly #counter: RateCounter;
  readonly #clock: Clock;

  constructor({ perMinute, counter, clock }: RateLimiterOptions) {
    this.#perMinute = perMinute;
    this.#counter = counter;
    this.#clock = clock;
  }

  /** Counts a request, or several at once; undefined if there is no limit. */
  async count(key: string, requests = 1): Promise<RateStatus | undefined> {
    if (this.#perMinute === 0) return undefined;
    const now = this.#clock.now();
    const { startedAt, count } = await this.#counter.increment(key, now, WINDOW_MS, requests);
    const limit = this.#perMinute;
    // If the clock was set back, the window still ends after its length in real time.
    const endsAt = Math.min(startedAt, now) + WINDOW_MS;
    return {
      exceeded: count > limit,
      limit,
      remaining: Math.max(0, limit - count),
      resetsAt: Math.ceil(endsAt / 1_000),
      retryAfter: Math.max(1, Math.ceil((endsAt - now) / 1_000)),
    };
  }
}

/** The rate-limit headers (docs/rules.md#rate-limits). */
export function rateHeaders({ limit, remaining, resetsAt }: RateStatus) {
  return { "X-RateLimit-Limit": limit, "X-RateLimit-Remaining": remaining, "X-RateLimit-Reset": resetsAt };
}

/** 429; the rate-limit headers are added where the response is written. */
export function tooManyRequests({ limit, retryAfter }: RateStatus): ApiResponse {
  return errorResponse(429, "rate_limited", `More than ${limit} requests a minute; wait ${retryAfter} seconds.`, {
    "Retry-After": String(retryAfter),
  });
}

/** Limits requests without a valid credential per client address: failed authentication and requests for tokens. */
export class AddressRateLimiter {
  readonly #limiter: RateLimiter;
  readonly #addresses: ClientAddressResolver;

  constructor(limiter: RateLimiter, addresses: ClientAddressResolver) {
    this.#limiter = limiter;
    this.#addresses = addresses;
  }

  count(request: IncomingMessage): Promise<RateStatus | undefined> {
    return this.#limiter.count(`address:${addressPrefix(this.#addresses.resolve(request))}`);
  }
}

/**
 * Resolves the client's address. `X-Forwarded-For` is believed only as far as trusted proxies wrote it. It is read from
 * its right end, and the first address that is not a trusted proxy's is the client's.
 */
export class ClientAddressResolver {
  readonly #trusted: AddressList;

  /** Addresses and subnets (`10.0.0.0/8`). */
  constructor(trustedProxies: readonly string[]) {
    this.#trusted = new AddressList(trustedProxies);
  }

  /** The addresses that share the limits of this connection's client; undefined for a trusted proxy. */
  clientOf({ remoteAddress = "" }: Socket): string | undefined {
    return this.#trusted.has(remoteAddress) ? undefined : addressPrefix(normal(remoteAddress));
  }

  resolve(request: IncomingMessage): string {
    // The last hop may be any text the client sent. Then the proxy before it is all that is known.
    const client = proxyAddr.all(request, (hop) => this.#trusted.has(hop)).findLast((hop) => isIP(hop) !== 0);
    return client === undefined ? "" : normal(client);
  }
}

/** IPv4 addresses in their own form, not as a part of IPv6. */
const normal = (address: string) => (isIP(address) === 0 ? address : ipaddr.process(address).toString());

/** The addresses that share one limit: an IPv4 address, or an IPv6 network of 64 bits, which is one customer's. */
export function addressPrefix(address: string): string {
  if (isIP(address) !== 6) return address;
  const groups = ipaddr.IPv6.parse(address).parts.slice(0, 4);
  return `${groups.map((group) => group.toString(16)).join(":")}::/64`;
}
