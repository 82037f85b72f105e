import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

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
