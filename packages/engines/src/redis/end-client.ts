import type { Redis } from "ioredis";

/**
 * Ends a client for good; commands that wait for an answer are rejected. Resolves when it has ended.
 *
 * Between two attempts to connect it has no socket whose closing would end it, and its `disconnect` alone leaves it, and
 * whoever waits for it, waiting for ever: there an attempt is made and broken off.
 */
export function endClient(client: Redis): Promise<void> {
  if (client.status === "end") return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  client.once("end", () => resolve());
  if (client.status === "reconnecting") client.connect().catch(() => undefined);
  client.disconnect();
  return promise;
}
