import { setTimeout } from "node:timers/promises";
import { type Db, MongoClient } from "mongodb";
import { clientOptions, databaseName, explainUrl } from "./address.ts";
import { MongoUnavailable, reasonOf, translateMongoErrors } from "./errors.ts";

/** This process's connection to MongoDB. Whoever opened it closes it, after everything that stands on it. */
export interface MongoConnection {
  /** The one its address names, `travel_booking` where it names none. */
  readonly db: Db;
  /** For readiness. @throws MongoUnavailable */
  ping(): Promise<void>;
  /** What is under way fails. */
  close(): Promise<void>;
}

export interface MongoConnectionOptions {
  /** For the log: a server does not answer; told once until it answers again. */
  readonly onProblem?: (problem: MongoUnavailable) => void;
}

/** Real milliseconds the server may take to say that it is there. */
const PING_MS = 2_000;

/**
 * One client per process. Does not wait for the server: whoever needs it does. Writes are acknowledged by a majority
 * and journalled, reads go to the primary; whatever the address says itself counts more. While the server is out of
 * reach an operation fails within a few seconds, and it works again without being opened anew.
 * @throws InvalidMongoUrl
 */
export function openMongo(url: string, { onProblem }: MongoConnectionOptions = {}): MongoConnection {
  const client = newClient(url);
  const db = client.db(databaseName(url));
  const silent = watchServers(client, (problem) => onProblem?.(problem));
  const stop = new AbortController();
  let connecting = connect(client, stop.signal);
  const endWatch = watchHeartbeats(client, () => {
    connecting = connecting.then(() => reconnect(client, stop.signal));
  });
  return {
    db,
    async ping() {
      try {
        await translateMongoErrors(MongoUnavailable, () => db.command({ ping: 1, maxTimeMS: PING_MS }));
      } catch (error) {
        throw silent.firstProblem() ?? error;
      }
    },
    async close() {
      stop.abort();
      endWatch();
      await client.close();
      await connecting;
    },
  };
}

function newClient(url: string): MongoClient {
  try {
    return new MongoClient(url, clientOptions(url));
  } catch (error) {
    throw explainUrl(url, error);
  }
}

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
async function reconnect(client: MongoClient, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  // What the server should have been told at the end is lost with the connections.
  await client.close().catch(() => undefined);
  await connect(client, signal);
}

/** The servers that have stopped answering, and why. */
interface UnresponsiveServers {
  /** Of the one that did so first. */
  firstProblem(): MongoUnavailable | undefined;
}

/** Tells of each server that stops answering, once. */
function watchServers(client: MongoClient, onProblem: (problem: MongoUnavailable) => void): UnresponsiveServers {
  const silent = new Map<string, MongoUnavailable>();
  client.on("serverHeartbeatSucceeded", ({ connectionId }) => silent.delete(connectionId));
  client.on("serverHeartbeatFailed", ({ connectionId, failure }) => {
    if (silent.has(connectionId)) return;
    const why = `MongoDB at ${connectionId} does not answer: ${reasonOf(failure)}`;
    const problem = new MongoUnavailable(why, { cause: failure });
    silent.set(connectionId, problem);
    onProblem(problem);
  });
  return { firstProblem: () => silent.values().next().value };
}

const TICK_MS = 1_000;
const SLACK_MS = 1_000;

/**
 * Calls `onStuck` where the driver waits for the answer to a heartbeat longer than it may. Where a server that it asks
 * at intervals closes all connections at once, the driver (seen in 7.8 and 7.9) may send a heartbeat into a connection
 * that is gone already and waits for ever: the server counts as unknown from then on, however well it is. Waiting is
 * counted in ticks, so that a process that was stopped for a while does not take the pause for the server's silence.
 * Returns what ends the watch.
 */
function watchHeartbeats(client: MongoClient, onStuck: () => void): () => void {
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
