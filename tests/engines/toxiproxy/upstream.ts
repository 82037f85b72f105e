const PORTS: Readonly<Record<string, string>> = { "redis:": "6379", "mongodb:": "27017", "esdb:": "2113" };

export interface Upstream {
  /** Host and port. */
  readonly address: string;
  /** The url with this in place of its host and port. */
  urlAt(address: string): string;
}

/** @param target a url of one host, or host and port. */
export function upstreamOf(target: string): Upstream {
  if (!target.includes("://")) return { address: target, urlAt: (address) => address };
  const url = new URL(target);
  return {
    address: `${url.hostname}:${url.port || PORTS[url.protocol]}`,
    urlAt(address) {
      const proxied = new URL(target);
      proxied.host = address;
      // Otherwise the driver asks a replica set where its members are, and goes around the proxy.
      if (url.protocol === "mongodb:") proxied.searchParams.set("directConnection", "true");
      return proxied.href;
    },
  };
}
