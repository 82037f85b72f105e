import { Backoff } from "@travel-booking/runtime/real-time";
import type { RedisOptions } from "ioredis";

const DATABASE = /^\/(\d{1,9})$/;

/**
 * Reads address and credentials of a Redis from `redis[s]://[[user]:password@]host[:port][/database]`.
 * @throws TypeError the text has another form. The message does not repeat it, as it may hold a password.
 */
export function parseRedisAddress(url: string) {
  const parsed = URL.parse(url);
  if (parsed === null || !["redis:", "rediss:"].includes(parsed.protocol) || parsed.hostname === "") {
    throw new TypeError("not the address of a Redis: redis://host:port or rediss://host:port");
  }
  const database = parsed.pathname.length > 1 ? DATABASE.exec(parsed.pathname)?.[1] : "0";
  if (database === undefined) throw new TypeError("the path of a Redis address is the number of a database");
  return {
    host: parsed.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: parsed.port === "" ? 6379 : Number(parsed.port),
    db: Number(database),
    ...(parsed.username !== "" && { username: decode(parsed.username) }),
    ...(parsed.password !== "" && { password: decode(parsed.password) }),
    ...(parsed.protocol === "rediss:" && { tls: {} }),
  };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * A command fails at once if there is no connection, or the connection is lost. None is queued for later. The socket
 * time-out ends a connection with a late answer.
 */
export const FAIL_FAST_OPTIONS = {
  connectTimeout: 2_000,
  socketTimeout: 2_000,
  disconnectTimeout: 500,
  maxRetriesPerRequest: 0,
  enableOfflineQueue: false,
  keepAlive: 10_000,
} satisfies RedisOptions;

/** Reconnects for ever, with growing pauses. The driver counts the attempts of each outage from 1. */
export function reconnectStrategy(): (attempt: number) => number {
  const backOff = new Backoff({ initialMs: 50, maxMs: 2_000 });
  return (attempt) => {
    if (attempt === 1) backOff.reset();
    return backOff.nextDelay();
  };
}
