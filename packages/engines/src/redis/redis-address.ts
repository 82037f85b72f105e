import type { ConnectionOptions } from "node:tls";

/** Where a Redis is and how to be let in. */
export interface RedisAddress {
  readonly host: string;
  readonly port: number;
  readonly db: number;
  readonly username?: string;
  readonly password?: string;
  readonly tls?: ConnectionOptions;
}

const DATABASE = /^\/(\d{1,9})$/;

/**
 * Reads `redis[s]://[[user]:password@]host[:port][/database]`.
 * @throws TypeError it is something else; the message does not repeat it, as it may hold a password.
 */
export function parseRedisAddress(url: string): RedisAddress {
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
    ...(parsed.username !== "" && { username: decoded(parsed.username) }),
    ...(parsed.password !== "" && { password: decoded(parsed.password) }),
    ...(parsed.protocol === "rediss:" && { tls: {} }),
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
