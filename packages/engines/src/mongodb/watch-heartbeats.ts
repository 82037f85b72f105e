import type { MongoClient } from "mongodb";

const TICK_MS = 1_000;
const SLACK_MS = 1_000;

/**
 * Calls `onStuck` where the driver waits for the answer to a heartbeat longer than it may. Where a server that it asks
 * at intervals closes all connections at once, the driver (seen in 7.8 and 7.9) may send a heartbeat into a connection
 * that is gone already and waits for ever: the server counts as unknown from then on, however well it is. Waiting is
 * counted in ticks, so that a process that was stopped for a while does not take the pause for the server's silence.
 * Returns what ends the watch.
 */
export function watchHeartbeats(client: MongoClient, onStuck: () => void): () => void {
  const { connectTimeoutMS, heartbeatFrequencyMS } = client.options;
  // No limit to connecting: nothing to tell a slow answer from none.
  if (connectTimeoutMS === 0) return () => undefined;
  const longest = Math.ceil((2 * connectTimeoutMS + heartbeatFrequencyMS + SLACK_MS) / TICK_MS);
  const waiting = new Map<string, number>();
  client.on("serverHeartbeatStarted", ({ connectionId }) => waiting.set(connectionId, 0));
  client.on("serverHeartbeatSucceeded", ({ connectionId }) => waiting.delete(connectionId));
  client.on("serverHeartbeatFailed", ({ connectionId }) => waiting.delete(connectionId));
  client.on("serverClosed", ({ address }) => waiting.delete(address));
  const timer = setInterval(() => {
    let isStuck = false;
    for (const [server, ticks] of waiting) {
      waiting.set(server, ticks + 1);
      isStuck ||= ticks >= longest;
    }
    if (!isStuck) return;
    waiting.clear();
    onStuck();
  }, TICK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
