import { isIP } from "node:net";
import { type Resolve, resolveWithDns, resolveWithHosts } from "./resolve.ts";
import { specialKindOf } from "./special-addresses.ts";

/** Whether a URL may be called. */
export type TargetCheck =
  /** At these addresses and no others; at least one. */
  | { readonly kind: "allowed"; readonly url: URL; readonly addresses: readonly string[] }
  /** `reason` goes on from "url" or "the URL": "must be an https URL". */
  | { readonly kind: "refused"; readonly reason: string }
  /** Its name has no address now; that may be different in a moment. */
  | { readonly kind: "unresolved"; readonly reason: string };

export interface CheckTargetOptions {
  /** `WEBHOOK_ALLOW_PRIVATE_TARGETS`: plain HTTP, and addresses that are not public. */
  readonly allowPrivate: boolean;
  /** The name servers unless told. */
  readonly resolve?: Resolve;
  /** Real time a name may take to be looked up; 5,000 unless told. */
  readonly resolveTimeoutMs?: number;
}

const RESOLVE_TIMEOUT_MS = 5_000;

/** A URL that may be called where the addresses of its name may be. */
export interface HostnameTarget {
  readonly kind: "named";
  readonly url: URL;
  readonly host: string;
}

/**
 * Whether we may call a URL that somebody else gave us. Its name is looked up once; where one of its addresses is
 * private or otherwise special all are refused, however it is written. Whoever connects has to connect to one of the
 * addresses that were checked, and must not look the name up again.
 */
export async function checkTarget(text: string, options: CheckTargetOptions): Promise<TargetCheck> {
  const target = parseTarget(text, options);
  return target.kind === "named" ? resolveAndCheck(target, options) : target;
}

/** What can be said of a URL without asking anybody: all there is to say, unless it has a name that is to be looked up. */
export function parseTarget(
  text: string,
  { allowPrivate }: Pick<CheckTargetOptions, "allowPrivate">,
): TargetCheck | HostnameTarget {
  if (!URL.canParse(text)) return refused("must be a URL");
  const url = new URL(text);
  if (url.protocol !== "https:" && !(allowPrivate && url.protocol === "http:")) {
    return refused(allowPrivate ? "must be an https or http URL" : "must be an https URL");
  }
  if (url.username !== "" || url.password !== "") return refused("must not contain a user name or password");
  if (url.port === "0") return refused("must not name port 0");
  // The URL parser has brought every spelling of an IPv4 address into the usual one.
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  if (isIP(host) !== 0) return checkAddresses(url, [host], allowPrivate);
  // RFC 6761 §6.3: never a matter for name servers.
  if (/(?:^|\.)localhost\.?$/.test(host)) return checkAddresses(url, ["127.0.0.1", "::1"], allowPrivate);
  return { kind: "named", url, host };
}

/** Looks the name up and checks what it leads to now: to be asked again for every call. */
export async function resolveAndCheck(
  { url, host }: HostnameTarget,
  options: CheckTargetOptions,
): Promise<TargetCheck> {
  const { allowPrivate, resolve = allowPrivate ? resolveWithHosts : resolveWithDns } = options;
  const found = await resolveWithTimeout(resolve(host), options.resolveTimeoutMs ?? RESOLVE_TIMEOUT_MS);
  const addresses = found.filter((address) => isIP(address) !== 0 && !address.includes("%"));
  return checkAddresses(url, addresses, allowPrivate);
}

function checkAddresses(url: URL, addresses: readonly string[], allowPrivate: boolean): TargetCheck {
  if (addresses.length === 0) return { kind: "unresolved", reason: "names a host that can't be found" };
  const special = allowPrivate ? undefined : addresses.map(specialKindOf).find((kind) => kind !== undefined);
  if (special !== undefined) return refused(`must not lead to ${special} address`);
  return { kind: "allowed", url, addresses };
}

/** Nothing where it takes longer, or fails. */
async function resolveWithTimeout(looking: Promise<readonly string[]>, withinMs: number): Promise<readonly string[]> {
  const { promise: late, resolve } = Promise.withResolvers<readonly string[]>();
  const timer = setTimeout(() => resolve([]), withinMs).unref();
  try {
    return await Promise.race([looking, late]);
  } catch {
    return [];
  } finally {
    clearTimeout(timer);
  }
}

function refused(reason: string): TargetCheck {
  return { kind: "refused", reason };
}
