import { BlockList, isIPv6 } from "node:net";

/** Ranges of addresses nobody outside may have us call, and what they are (IANA special-purpose address registries). */
const IPV4: readonly (readonly [network: string, length: number, what: string])[] = [
  ["0.0.0.0", 8, "an unspecified"],
  ["10.0.0.0", 8, "a private"],
  ["100.64.0.0", 10, "a carrier-grade NAT"],
  ["127.0.0.0", 8, "a loopback"],
  ["169.254.0.0", 16, "a link-local"],
  ["172.16.0.0", 12, "a private"],
  ["192.0.0.0", 24, "a reserved"],
  ["192.0.2.0", 24, "a documentation"],
  ["192.88.99.0", 24, "a 6to4 relay"],
  ["192.168.0.0", 16, "a private"],
  ["198.18.0.0", 15, "a benchmarking"],
  ["198.51.100.0", 24, "a documentation"],
  ["203.0.113.0", 24, "a documentation"],
  ["224.0.0.0", 4, "a multicast"],
  ["240.0.0.0", 4, "a reserved"],
];

/** Inside and outside of 2000::/3, which is all there is of global unicast (RFC 4291 §2.4). */
const IPV6: readonly (readonly [network: string, length: number, what: string])[] = [
  ["::", 128, "an unspecified"],
  ["::1", 128, "a loopback"],
  ["::", 96, "an IPv4-compatible"],
  ["::ffff:0:0", 96, "an IPv4-mapped"],
  ["64:ff9b::", 96, "a NAT64"],
  ["64:ff9b:1::", 48, "a NAT64"],
  ["100::", 64, "a discard"],
  ["2001::", 23, "a reserved"],
  ["2001:db8::", 32, "a documentation"],
  ["2002::", 16, "a 6to4"],
  ["3fff::", 20, "a documentation"],
  ["fc00::", 7, "a private"],
  ["fe80::", 10, "a link-local"],
  ["fec0::", 10, "a site-local"],
  ["ff00::", 8, "a multicast"],
];

const SPECIAL_V4 = listed(IPV4, "ipv4");
const SPECIAL_V6 = listed(IPV6, "ipv6");
const GLOBAL_V6 = subnet("2000::", 3, "ipv6");

/** What kind of special address this is, as in "a loopback"; undefined: a public one. */
export function specialKindOf(address: string): string | undefined {
  if (!isIPv6(address)) return SPECIAL_V4.find(({ range }) => range.check(address, "ipv4"))?.what;
  const special = SPECIAL_V6.find(({ range }) => range.check(address, "ipv6"))?.what;
  return special ?? (GLOBAL_V6.check(address, "ipv6") ? undefined : "a reserved");
}

function listed(ranges: typeof IPV4, family: "ipv4" | "ipv6") {
  return ranges.map(([network, length, what]) => ({ what, range: subnet(network, length, family) }));
}

function subnet(network: string, length: number, family: "ipv4" | "ipv6"): BlockList {
  const range = new BlockList();
  range.addSubnet(network, length, family);
  return range;
}
