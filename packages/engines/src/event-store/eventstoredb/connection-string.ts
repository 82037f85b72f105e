/** Hosts with optional ports, after an optional user with a password. */
const ADDRESS = /^(?:[^:@/]+:[^@/]+@)?[^:@/,\s]+(?::\d+)?(?:,[^:@/,\s]+(?::\d+)?)*$/;
const SCHEME = /^(?:esdb|kurrentdb)(\+discover)?:\/\//;
const DEFAULT_PORT = 2113;

/** A node that hangs must not delay the search for its cluster longer than an append waits. */
const GOSSIP_TIMEOUT_SECONDS = 1;
/** The client's ping interval in milliseconds. The client warns on the console about a shorter one. */
const KEEP_ALIVE_MS = 10_000;
/** The longest delay of a timer. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** The settings and their values. */
const SETTINGS: Readonly<Record<string, RegExp>> = {
  connectionName: /./,
  defaultDeadline: /^[1-9]\d*$/,
  discoveryInterval: /^\d+$/,
  gossipTimeout: /^\d+$/,
  keepAliveInterval: /^(?:-1|\d+)$/,
  keepAliveTimeout: /^(?:-1|\d+)$/,
  maxDiscoverAttempts: /^\d+$/,
  nodePreference: /^(?:leader|follower|read_?only_?replica|random)$/i,
  tls: /^(?:true|false)$/,
  tlsCAFile: /./,
  userCertFile: /./,
  userKeyFile: /./,
};

/** The settings in a connection string. */
export interface ServerAddress {
  /** Host and port of each node that it names. */
  readonly nodes: readonly [string, ...string[]];
  /** True: one node, called directly, without a search for the members of a cluster. */
  readonly isSingle: boolean;
  readonly usesTls: boolean;
  readonly gossipTimeoutMs: number;
  /**
   * The connection string of one node, in the client's form. Each call returns a different one, because channels with
   * equal settings would share a connection, even one that has died unnoticed.
   */
  urlOf(node: string): string;
}

/**
 * Reads a connection string. The client prints a string that it does not understand to the console, password included.
 * So it never gets one, nor `kurrentdb://`, which it does not know.
 * @throws Error the string is invalid. The message says why, and repeats nothing of it.
 */
export function parseAddress(url: string): ServerAddress {
  const trimmed = url.trim();
  const scheme = SCHEME.exec(trimmed);
  if (scheme === null) throw invalid("it begins with esdb:// or kurrentdb://, or +discover before the colon");
  const [given = "", query, ...rest] = trimmed.slice(scheme[0].length).split("?");
  const address = given.replace(/\/+$/, "");
  if (!ADDRESS.test(address)) {
    throw invalid("the scheme is followed by user:password@ or nothing, then by host:port, or several with commas");
  }
  if (rest.length > 0 || query === "") throw invalid("one question mark leads in its settings");
  const settings = new Map(query?.split("&").map(parseSetting));
  const gossipTimeout = Number(settings.get("gossipTimeout") ?? GOSSIP_TIMEOUT_SECONDS);
  const interval = Number(settings.get("keepAliveInterval") ?? KEEP_ALIVE_MS);
  const timeout = Number(settings.get("keepAliveTimeout") ?? KEEP_ALIVE_MS);
  settings.delete("keepAliveTimeout");
  if (interval >= 0) settings.set("keepAliveInterval", String(Math.max(interval, KEEP_ALIVE_MS)));
  const [user, hosts = ""] = address.includes("@") ? address.split("@", 2) : [undefined, address];
  const [first = "", ...others] = hosts
    .split(",")
    .map((host) => (host.includes(":") ? host : `${host}:${DEFAULT_PORT}`));
  let made = 0;
  return {
    nodes: [first, ...others],
    isSingle: scheme[1] === undefined && others.length === 0,
    usesTls: settings.get("tls") !== "false",
    gossipTimeoutMs: 1_000 * gossipTimeout,
    urlOf(node) {
      // -1 means for ever, but the client would read it as a millisecond.
      const own = timeout < 0 ? LONGEST_TIMEOUT_MS - (made % 1_000) : timeout + (made % 1_000);
      made += 1;
      const all = [...settings, ["keepAliveTimeout", own]].map(([name, value]) => `${name}=${value}`);
      return `esdb://${user === undefined ? "" : `${user}@`}${node}?${all.join("&")}`;
    },
  };
}

function parseSetting(setting: string): [string, string] {
  const [key = "", value = ""] = setting.split("=", 2);
  const plain = (name: string) => name.trim().toLowerCase().replace(/[_-]/g, "");
  const known = Object.entries(SETTINGS).find(([name]) => plain(name) === plain(key));
  if (known === undefined) throw invalid(`what can be set is ${Object.keys(SETTINGS).join(", ")}`);
  if (!known[1].test(value)) throw invalid(`${known[0]} has a value it can't have`);
  return [known[0], value];
}

function invalid(rule: string): Error {
  return new Error(`this is no connection string of EventStoreDB: ${rule}`);
}
