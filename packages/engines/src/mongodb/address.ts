import type { MongoClientOptions } from "mongodb";

/** An invalid address. The message never repeats it, because it may contain a password. */
export class InvalidMongoUrl extends Error {
  override readonly name = "InvalidMongoUrl";
}

/**
 * Real milliseconds. The heartbeat notices a server that stopped answering, and then fails the operations waiting for
 * it. An operation may take longer while the server is alive.
 */
const DEFAULTS = {
  appName: "travel-booking",
  serverSelectionTimeoutMS: 3_000,
  connectTimeoutMS: 2_000,
  heartbeatFrequencyMS: 2_000,
  waitQueueTimeoutMS: 3_000,
  socketTimeoutMS: 30_000,
  // The server spends a thread and up to a megabyte per connection, and small hosted ones allow 500 in all. The
  // driver's 100 let two instances of each service open 800. 50 keep more processors busy than such a server has.
  maxPoolSize: 50,
  w: "majority",
  journal: true,
  readPreference: "primary",
} as const satisfies MongoClientOptions;

const DEFAULT_DATABASE = "travel_booking";

const DATABASE = /^mongodb(?:\+srv)?:\/\/[^/?]+\/([^?]+)/;

/** The project's settings, except those in the address, because options would override the address. */
export function clientOptions(url: string): MongoClientOptions {
  const inAddress = new Set([...settingsOf(url).keys()].map((name) => name.toLowerCase()));
  return Object.fromEntries(Object.entries(DEFAULTS).filter(([name]) => !inAddress.has(name.toLowerCase())));
}

/** The database that the address names. */
export function databaseName(url: string): string {
  const name = DATABASE.exec(url)?.[1];
  return name === undefined ? DEFAULT_DATABASE : decodeURIComponent(name);
}

/** The error for an invalid address. It has the reason if that repeats no secret. */
export function explainUrl(url: string, error: unknown): InvalidMongoUrl {
  const reason = error instanceof Error ? error.message : "";
  const isHarmless =
    reason !== "" && ![url, ...credentialsOf(url), ...settingsOf(url).values()].some((part) => reason.includes(part));
  return new InvalidMongoUrl(`not the address of a MongoDB server${isHarmless ? `: ${reason}` : ""}`);
}

function settingsOf(url: string): URLSearchParams {
  return new URLSearchParams(url.includes("?") ? url.slice(url.indexOf("?") + 1) : "");
}

function credentialsOf(url: string): readonly string[] {
  return (/:\/\/([^/?]*)@/.exec(url)?.[1] ?? "").split(":").filter((part) => part !== "");
}
