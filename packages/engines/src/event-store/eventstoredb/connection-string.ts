/** Hosts with optional ports, after an optional user with a password. */
const ADDRESS = /^(?:[^:@/]+:[^@/]+@)?[^:@/,\s]+(?::\d+)?(?:,[^:@/,\s]+(?::\d+)?)*$/;
const SCHEME = /^(?:esdb|kurrentdb)(\+discover)?:\/\//;

/**
 * Where the string sets no other: a node that hangs must not keep its cluster from being found for longer than an
 * append waits. In seconds.
 */
const GOSSIP_TIMEOUT = "gossipTimeout=1";

/** The settings and their values. */
const SETTINGS: Readonly<Record<string, RegExp>> = {
  connectionName: /./,
  defaultDeadline: /^\d+$/,
  discoveryInterval: /^\d+$/,
  gossipTimeout: /^\d+$/,
  keepAliveInterval: /^-?\d+$/,
  keepAliveTimeout: /^-?\d+$/,
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
  const all = [settings, isGossipLimited ? undefined : GOSSIP_TIMEOUT].filter((part) => part !== undefined).join("&");
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
