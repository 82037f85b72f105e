import { setTimeout } from "node:timers/promises";
import type { MongoClient } from "mongodb";

/** Real milliseconds between two attempts, each of which waits for a server itself. */
const RETRY_DELAY_MS = 200;

/**
 * Connects, as often as it takes. Once it has been connected a client goes on by itself; but where its very first
 * attempt fails, it stays closed for good unless it is told to connect again.
 */
export async function connect(client: MongoClient, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await client.connect();
      return;
    } catch {
      // Whoever needs the server is told why it can't be reached.
      await setTimeout(RETRY_DELAY_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
}

/** Begins anew, with everything that was opened through the client still usable: what is under way fails. */
export async function reconnect(client: MongoClient, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  // What the server should have been told at the end is lost with the connections.
  await client.close().catch(() => undefined);
  await connect(client, signal);
}
