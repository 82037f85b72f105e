/** A host with or without a port, in front of it a user with a password, behind it further hosts. */
const ADDRESS = /^(?:[^:@/]+:[^@/]+@)?[^:@/,\s]+(?::\d+)?(?:,[^:@/,\s]+(?::\d+)?)*$/;
const SCHEME = /^(?:esdb|kurrentdb)(\+discover)?:\/\//;

/** What may be set, and to what. */
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
 * A connection string as the client takes it. The client knows no `kurrentdb://`, and writes a string that it does not
 * quite understand to the console, password included: so none such reaches it.
 * @throws Error it can't be used, and why; nothing of it is in the message.
 */
export function clientConnectionString(url: string): string {
  const trimmed = url.trim();
  const scheme = SCHEME.exec(trimmed);
  if (scheme === null) throw unusable("it begins with esdb:// or kurrentdb://, or +discover before the colon");
  const [address = "", settings, ...rest] = trimmed.slice(scheme[0].length).split("?");
  if (!ADDRESS.test(address.replace(/\/+$/, ""))) {
    throw unusable("the scheme is followed by user:password@ or nothing, then by host:port, or several with commas");
  }
  if (rest.length > 0 || settings === "") throw unusable("one question mark leads in its settings");
  for (const setting of settings?.split("&") ?? []) check(setting);
  return `esdb${scheme[1] ?? ""}://${address.replace(/\/+$/, "")}${settings === undefined ? "" : `?${settings}`}`;
}

function check(setting: string): void {
  const [key = "", value = ""] = setting.split("=", 2);
  const plain = (name: string) => name.trim().toLowerCase().replace(/[_-]/g, "");
  const known = Object.entries(SETTINGS).find(([name]) => plain(name) === plain(key));
  if (known === undefined) throw unusable(`what can be set is ${Object.keys(SETTINGS).join(", ")}`);
  if (!known[1].test(value)) throw unusable(`${known[0]} has a value it can't have`);
}

function unusable(rule: string): Error {
  return new Error(`this is no connection string of EventStoreDB: ${rule}`);
}
