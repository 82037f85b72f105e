/** Hosts with optional ports, after an optional user with a password. */
const ADDRESS = /^(?:[^:@/]+:[^@/]+@)?[^:@/,\s]+(?::\d+)?(?:,[^:@/,\s]+(?::\d+)?)*$/;
const SCHEME = /^(?:esdb|kurrentdb)(\+discover)?:\/\//;

/**
 * Where the string sets no other: a node that hangs must not keep its cluster from being found for longer than an
 * append waits. In seconds.
 */
const GOSSIP_TIMEOUT = "gossipTimeout=1";

/** "For ever": the client makes a millisecond of it, after which every connection is dropped that has not answered a ping. */
const NO_KEEP_ALIVE_TIMEOUT = /(?<name>(?:^|&)keep[_-]?alive[_-]?timeout=)-1(?=&|$)/i;
/** The longest that a timer takes. */
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

/**
 * A connection string that the client accepts. The client does not know `kurrentdb://`, and writes a string it does not
 * understand to the console, password included: so it never gets one.
 * @throws Error it is invalid, and why; the message repeats nothing of it.
 */
export function clientConnectionString(url: string): string {
  const trimmed = url.trim();
  const scheme = SCHEME.exec(trimmed);
  if (scheme === null) throw invalid("it begins with esdb:// or kurrentdb://, or +discover before the colon");
  const [address = "", settings, ...rest] = trimmed.slice(scheme[0].length).split("?");
  if (!ADDRESS.test(address.replace(/\/+$/, ""))) {
    throw invalid("the scheme is followed by user:password@ or nothing, then by host:port, or several with commas");
  }
  if (rest.length > 0 || settings === "") throw invalid("one question mark leads in its settings");
  for (const setting of settings?.split("&") ?? []) checkSetting(setting);
  const isGossipLimited = /(?:^|&)gossip[_-]?timeout=/i.test(settings ?? "");
  const given = settings?.replace(NO_KEEP_ALIVE_TIMEOUT, `$<name>${LONGEST_TIMEOUT_MS}`);
  const all = [given, isGossipLimited ? undefined : GOSSIP_TIMEOUT].filter((part) => part !== undefined).join("&");
  return `esdb${scheme[1] ?? ""}://${address.replace(/\/+$/, "")}?${all}`;
}

/** The string of its first node alone, which the client asks without discovery. */
export function firstNode(connectionString: string): string {
  return connectionString.replace(/^esdb(?:\+discover)?:\/\/((?:[^@?]*@)?[^,?]*)[^?]*/, "esdb://$1");
}

function checkSetting(setting: string): void {
  const [key = "", value = ""] = setting.split("=", 2);
  const plain = (name: string) => name.trim().toLowerCase().replace(/[_-]/g, "");
  const known = Object.entries(SETTINGS).find(([name]) => plain(name) === plain(key));
  if (known === undefined) throw invalid(`what can be set is ${Object.keys(SETTINGS).join(", ")}`);
  if (!known[1].test(value)) throw invalid(`${known[0]} has a value it can't have`);
}

function invalid(rule: string): Error {
  return new Error(`this is no connection string of EventStoreDB: ${rule}`);
}
