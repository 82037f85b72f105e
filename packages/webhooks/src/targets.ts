import { lookup, Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import type { Settings } from "@travel-booking/runtime";
import { withTimeout } from "@travel-booking/runtime/real-time";
import ipaddr from "ipaddr.js";

/** Whether a URL may be called. */
export type TargetCheck =
  /** Only these addresses may be called; there is at least one. */
  | { readonly kind: "allowed"; readonly url: URL; readonly addresses: readonly string[] }
  /** `reason` continues "url" or "the URL": "must be an https URL". */
  | { readonly kind: "refused"; readonly reason: string }
  /** Its host name has no address at the moment. */
  | { readonly kind: "unresolved"; readonly reason: string };

/** Targets that an operator additionally allows. */
export interface TargetRules {
  /** `WEBHOOK_ALLOW_PRIVATE_TARGETS`: plain HTTP, and addresses that are not public. */
  readonly allowPrivate: boolean;
  /** `WEBHOOK_PORTS`: ports below 1024, besides 443 and 80. */
  readonly ports: readonly number[];
}

export function targetRules(settings: Pick<Settings, "webhookAllowPrivateTargets" | "webhookPorts">): TargetRules {
  return { allowPrivate: settings.webhookAllowPrivateTargets, ports: settings.webhookPorts };
}

interface CheckTargetOptions {
  readonly targets: TargetRules;
  /** By default a look-up at the name servers. */
  readonly resolve?: Resolve;
  /** Real time a look-up may take; 5,000 by default. */
  readonly resolveTimeoutMs?: number;
}

const RESOLVE_TIMEOUT_MS = 5_000;

/**
 * Decides whether the service may call a URL that a customer gave. The host name is resolved once; one private or
 * otherwise special address refuses the URL. Callers must connect to one of the checked addresses, without resolving
 * the name again. To be repeated for every call of the URL.
 */
export async function checkTarget(text: string, options: CheckTargetOptions): Promise<TargetCheck> {
  const { allowPrivate, ports } = options.targets;
  if (!URL.canParse(text)) return refused("must be a URL");
  const url = new URL(text);
  if (url.protocol !== "https:" && !(allowPrivate && url.protocol === "http:")) {
    return refused(allowPrivate ? "must be an https or http URL" : "must be an https URL");
  }
  if (url.username !== "" || url.password !== "") return refused("must not contain a user name or password");
  if (!isAllowedPort(url.port, ports)) {
    return refused(`must use port ${[443, 80, ...ports].join(", ")} or one above 1023`);
  }
  // The URL parser has normalised every spelling of an IPv4 address.
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  if (isIP(host) !== 0) return checkAddresses(url, [host], allowPrivate);
  // RFC 6761 §6.3: name servers are never asked for localhost.
  if (/(?:^|\.)localhost\.?$/.test(host)) return checkAddresses(url, ["127.0.0.1", "::1"], allowPrivate);
  const { resolve = allowPrivate ? resolveWithHosts : resolveWithDns, resolveTimeoutMs = RESOLVE_TIMEOUT_MS } = options;
  const found = await withTimeout(resolve(host), resolveTimeoutMs, () => new Error("late")).catch((error: unknown) =>
    saysThereIsNone(error) ? [] : undefined,
  );
  if (found === undefined) return { kind: "unresolved", reason: "names a host that can't be looked up now" };
  const addresses = found.filter((address) => isIP(address) !== 0 && !address.includes("%"));
  return checkAddresses(url, addresses, allowPrivate);
}

/** Below 1024 only ports of the web, as mail servers must get no requests (docs/rules.md#webhook-targets). */
function isAllowedPort(port: string, others: readonly number[]): boolean {
  return port === "" || [443, 80, ...others].includes(Number(port)) || Number(port) > 1_023;
}

function checkAddresses(url: URL, addresses: readonly string[], allowPrivate: boolean): TargetCheck {
  if (addresses.length === 0) return { kind: "unresolved", reason: "names a host that can't be found" };
  const special = allowPrivate ? undefined : addresses.map(specialKindOf).find((kind) => kind !== undefined);
  if (special !== undefined) return refused(`must not lead to ${special} address`);
  return { kind: "allowed", url, addresses };
}

function refused(reason: string): TargetCheck {
  return { kind: "refused", reason };
}

/** Looks up the addresses of a host name. Rejects if it has none (`ENOTFOUND`, `ENODATA`), or the look-up fails. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** The timeout is real time, per server and try. */
const resolver = new Resolver({ timeout: 2_000, tries: 2 });

/**
 * Asks the name servers. Unlike `lookup` it uses no thread of the pool, so slow name servers delay nothing else. IPv4
 * comes first, since not every network has IPv6.
 */
const resolveWithDns: Resolve = async (hostname) => {
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = [...addressesIn(v4), ...addressesIn(v6)];
  if (addresses.length > 0) return addresses;
  const problems = [v4, v6].filter((settled) => settled.status === "rejected").map(({ reason }) => reason as unknown);
  throw problems.find((problem) => !saysThereIsNone(problem)) ?? problems[0] ?? new Error("no addresses");
};

/** Other errors mean that the name servers did not answer, or could not be asked. */
function saysThereIsNone(error: unknown): boolean {
  return ["ENOTFOUND", "ENODATA"].includes((error as NodeJS.ErrnoException).code ?? "");
}

/** Uses the operating system with its hosts file; for development. */
const resolveWithHosts: Resolve = async (hostname) => {
  const found = await lookup(hostname, { all: true });
  return found.toSorted((one, other) => one.family - other.family).map(({ address }) => address);
};

function addressesIn(settled: PromiseSettledResult<readonly string[]>): readonly string[] {
  return settled.status === "fulfilled" ? settled.value : [];
}

/**
 * The kinds of addresses, as a refusal names them (IANA special-purpose address registries). The first match counts.
 * All but the last kind are refused.
 */
const ADDRESS_KINDS = parseRanges({
  "an unspecified": ["0.0.0.0/8", "::/128"],
  "a loopback": ["127.0.0.0/8", "::1/128"],
  "a private": ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"],
  "a carrier-grade NAT": ["100.64.0.0/10"],
  "a link-local": ["169.254.0.0/16", "fe80::/10"],
  "a site-local": ["fec0::/10"],
  "a multicast": ["224.0.0.0/4", "ff00::/8"],
  "an IPv4-compatible": ["::/96"],
  "an IPv4-mapped": ["::ffff:0:0/96"],
  "a NAT64": ["64:ff9b::/96", "64:ff9b:1::/48"],
  "a 6to4": ["2002::/16"],
  "a 6to4 relay": ["192.88.99.0/24"],
  "a discard": ["100::/64"],
  "a benchmarking": ["198.18.0.0/15"],
  "a documentation": ["192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32", "3fff::/20"],
  "an AS112": ["192.31.196.0/24", "192.175.48.0/24", "2620:4f:8000::/48"],
  // A public address, but in Azure it serves every machine, as the link-local addresses do elsewhere.
  "a cloud platform's": ["168.63.129.16/32"],
  "a reserved": ["192.0.0.0/24", "240.0.0.0/4", "2001::/23"],
  // The rest of IPv4, and global unicast, which is all that IPv6 uses (RFC 4291 §2.4).
  public: ["0.0.0.0/0", "2000::/3"],
});

/** The kind of a special address, as in "a loopback"; undefined for a public one. */
function specialKindOf(address: string): string | undefined {
  const kind = ipaddr.subnetMatch(ipaddr.parse(address), ADDRESS_KINDS, "a reserved");
  return kind === "public" ? undefined : kind;
}

function parseRanges(kinds: Readonly<Record<string, readonly string[]>>) {
  return Object.fromEntries(
    Object.entries(kinds).map(([kind, ranges]) => [kind, ranges.map((range) => ipaddr.parseCIDR(range))]),
  );
}
