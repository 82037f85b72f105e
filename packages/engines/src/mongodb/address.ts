import type { MongoClientOptions } from "mongodb";

/** An address that is none. What it says never holds the address itself: there may be a password in it. */
export class InvalidMongoUrl extends Error {
  override readonly name = "InvalidMongoUrl";
}

/**
 * Real milliseconds. A server that stopped answering is noticed by the heartbeat, which then ends what waits for it;
 * an operation may take longer than that as long as the server is alive.
 */
const DEFAULTS = {
  appName: "travel-booking",
  serverSelectionTimeoutMS: 3_000,
  connectTimeoutMS: 2_000,
  heartbeatFrequencyMS: 2_000,
  waitQueueTimeoutMS: 3_000,
  socketTimeoutMS: 30_000,
  w: "majority",
  journal: true,
  readPreference: "primary",
} as const satisfies MongoClientOptions;

const DEFAULT_DATABASE = "travel_booking";

const DATABASE = /^mongodb(?:\+srv)?:\/\/[^/?]+\/([^?]+)/;

/** The project's settings, without those the address makes itself: to the driver, options count more than the address. */
export function clientOptions(url: string): MongoClientOptions {
  const told = new Set([...settingsOf(url).keys()].map((name) => name.toLowerCase()));
  return Object.fromEntries(Object.entries(DEFAULTS).filter(([name]) => !told.has(name.toLowerCase())));
}

/** The one the address names. */
export function databaseName(url: string): string {
  const name = DATABASE.exec(url)?.[1];
  return name === undefined ? DEFAULT_DATABASE : decodeURIComponent(name);
}

/** What is wrong with an address, as long as that repeats nothing of what may be secret in it. */
export function explainUrl(url: string, error: unknown): InvalidMongoUrl {
  const said = error instanceof Error ? error.message : "";
  const isTold =
    said !== "" && ![url, ...credentialsOf(url), ...settingsOf(url).values()].some((part) => said.includes(part));
  return new InvalidMongoUrl(`not the address of a MongoDB server${isTold ? `: ${said}` : ""}`);
}

function settingsOf(url: string): URLSearchParams {
  return new URLSearchParams(url.includes("?") ? url.slice(url.indexOf("?") + 1) : "");
}

function credentialsOf(url: string): readonly string[] {
  return (/:\/\/([^/?]*)@/.exec(url)?.[1] ?? "").split(":").filter((part) => part !== "");
}
