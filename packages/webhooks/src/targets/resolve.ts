import { lookup, Resolver } from "node:dns/promises";

/** Looks up the addresses of a host name. Rejects where there are none, or nobody can tell. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** Real time, per server and try. */
const resolver = new Resolver({ timeout: 2_000, tries: 2 });

/**
 * Asks the name servers, without a thread each: names whose servers are slow hold up nothing else. IPv4 first, since
 * not every network has IPv6.
 */
export const resolveWithDns: Resolve = async (hostname) => {
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = [...addressesIn(v4), ...addressesIn(v6)];
  if (addresses.length > 0) return addresses;
  throw v4.status === "rejected" ? v4.reason : new Error("no addresses");
};

/** As programs on this machine do, with its hosts file; for development. */
export const resolveWithHosts: Resolve = async (hostname) => {
  const found = await lookup(hostname, { all: true });
  return found.toSorted((one, other) => one.family - other.family).map(({ address }) => address);
};

function addressesIn(settled: PromiseSettledResult<readonly string[]>): readonly string[] {
  return settled.status === "fulfilled" ? settled.value : [];
}
