import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";
import type { RateCounter, Window } from "@travel-booking/engines/rate-counter";
import type { Clock } from "@travel-booking/runtime";
import { errorResponse } from "./error-response.ts";
import type { ApiResponse } from "./route.ts";

const WINDOW = 60_000;

/** Where a request stands in its window. */
export interface RateStatus {
  readonly exceeded: boolean;
  /** Requests allowed per minute. */
  readonly limit: number;
  readonly remaining: number;
  /** Unix seconds. */
  readonly resetsAt: number;
  /** Seconds until a new window begins; at least one. */
  readonly retryAfter: number;
}

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

  /** Counts one request; undefined where there is no limit. */
  count(key: string): RateStatus | undefined | Promise<RateStatus> {
    if (this.#perMinute === 0) return undefined;
    const now = this.#clock.now();
    const window = this.#counter.increment(key, now, WINDOW);
    return window instanceof Promise ? window.then((counted) => this.#status(counted, now)) : this.#status(window, now);
  }

  #status({ startedAt, count }: Window, now: number): RateStatus {
    const limit = this.#perMinute;
    const endsAt = startedAt + WINDOW;
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
export function rateHeaders({ limit, remaining, resetsAt }: RateStatus): Record<string, string> {
  return {
    "X-RateLimit-Limit": String(limit),
    "X-RateLimit-Remaining": String(remaining),
    "X-RateLimit-Reset": String(resetsAt),
  };
}

/** The same, appended to a flat list of names and values. */
export function pushRateHeaders(headers: (string | number)[], { limit, remaining, resetsAt }: RateStatus): void {
  headers.push("X-RateLimit-Limit", limit, "X-RateLimit-Remaining", remaining, "X-RateLimit-Reset", resetsAt);
}

/** 429; the rate-limit headers are added where the response is written. */
export function tooManyRequests({ limit, retryAfter }: RateStatus): ApiResponse {
  return errorResponse(429, `More than ${limit} requests a minute; wait ${retryAfter} seconds.`, {
    "Retry-After": String(retryAfter),
  });
}

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

const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

function unmapIpv4(address: string): string {
  return MAPPED_IPV4.exec(address)?.[1] ?? address;
}

/**
 * Tells the address of the client. `X-Forwarded-For` is believed only as far as trusted proxies wrote it: it is read
 * from its right end, and the first address that is no trusted proxy is the client's.
 */
export class ClientAddressResolver {
  readonly #trusted = new BlockList();
  readonly #anyTrusted: boolean;

  /** Addresses and subnets (`10.0.0.0/8`). */
  constructor(trustedProxies: readonly string[]) {
    this.#anyTrusted = trustedProxies.length > 0;
    for (const entry of trustedProxies) {
      const [address = "", length] = entry.split("/");
      const family = isIP(address) === 6 ? "ipv6" : "ipv4";
      if (length === undefined) this.#trusted.addAddress(address, family);
      else this.#trusted.addSubnet(address, Number(length), family);
    }
  }

  resolve(request: IncomingMessage): string {
    let client = unmapIpv4(request.socket.remoteAddress ?? "");
    if (!this.#anyTrusted) return client;
    const hops = String(request.headers["x-forwarded-for"] ?? "").split(",");
    while (this.#isTrusted(client)) {
      const before = unmapIpv4(hops.pop()?.trim() ?? "");
      if (isIP(before) === 0) break;
      client = before;
    }
    return client;
  }

  #isTrusted(address: string): boolean {
    const family = isIP(address);
    return family !== 0 && this.#trusted.check(address, family === 6 ? "ipv6" : "ipv4");
  }
}

/** What is limited together: an IPv4 address, or an IPv6 network of 64 bits, which is one customer's. */
export function addressPrefix(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = "", tail] = address.split("%")[0]?.split("::") ?? [];
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...new Array<string>(zeros).fill("0"), ...right].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/64`;
}
