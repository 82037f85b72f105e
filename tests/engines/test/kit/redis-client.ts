import { Redis } from "ioredis";

/** A client that connects once and gives up at the first sign of trouble. */
export async function withRedis<Result>(url: string, use: (client: Redis) => Promise<Result>): Promise<Result> {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: null, maxRetriesPerRequest: 0 });
  // Told by the command that fails as well.
  client.on("error", () => {});
  try {
    await client.connect();
    return await use(client);
  } finally {
    leave(client);
  }
}

/** To disconnect what has ended already keeps a process from ending for two seconds. */
export function leave(client: Redis): void {
  if (client.status !== "end") client.disconnect();
}
