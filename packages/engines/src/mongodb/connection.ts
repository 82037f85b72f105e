import { setTimeout } from "node:timers/promises";
import { type Db, MongoClient } from "mongodb";
import { clientOptions, databaseName, explainUrl } from "./address.ts";
import { MongoUnavailable, reasonOf, refusalOf, translateMongoErrors } from "./errors.ts";

/** This process's connection to MongoDB. Its opener closes it, after everything that uses it. */
export interface MongoConnection {
  /** The database in the address, by default `travel_booking`. */
  readonly db: Db;
  /** For the readiness check. @throws MongoUnavailable */
  ping(): Promise<void>;
  /** Fails pending operations. */
  close(): Promise<void>;
}

interface MongoConnectionOptions {
  /** For the log. Called once when a server stops answering, until it answers again. */
  readonly onProblem?: (problem: MongoUnavailable) => void;
}

/** Real milliseconds for a ping. */
const PING_MS = 2_000;

/**
 * Connects in the background; one client per process. Writes are acknowledged by a majority and journalled, and reads
 * go to the primary, unless the address says otherwise. While the server is out of reach, operations fail within a few
 * seconds. The connection recovers by itself.
 * @throws InvalidMongoUrl
 */
export function openMongo(url: string, { onProblem }: MongoConnectionOptions = {}): MongoConnection {
  const client = newClient(url);
  const db = client.db(databaseName(url));
  const problems = watchServers(client, (problem) => onProblem?.(problem));
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
        const [firstProblem] = problems.values();
        throw (error instanceof MongoUnavailable && refusalOf(error)) || (firstProblem ?? error);
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

/** Real milliseconds between two attempts, each of which has its own time-out. */
const RETRY_DELAY_MS = 200;

/**
 * Connects, with retries. A connected client recovers by itself. A client whose first attempt failed stays closed until
 * it is connected again.
 */
export async function connect(client: MongoClient, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await client.connect();
      return;
    } catch {
      // Operations report why the server is out of reach, so this does not.
      await setTimeout(RETRY_DELAY_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
}

/** Closes the client and connects again. Its databases and collections stay usable, but pending operations fail. */
async function reconnect(client: MongoClient, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  // Sessions that can't be ended now expire at the server.
  await client.close().catch(() => undefined);
  await connect(client, signal);
}

/** Reports each server once when it stops answering. Returns the present problems, oldest first. */
function watchServers(client: MongoClient, onProblem: (problem: MongoUnavailable) => void) {
  const problems = new Map<string, MongoUnavailable>();
  client.on("serverHeartbeatSucceeded", ({ connectionId }) => problems.delete(connectionId));
  client.on("serverHeartbeatFailed", ({ connectionId, failure }) => {
    if (problems.has(connectionId)) return;
    const why = `MongoDB at ${connectionId} does not answer: ${reasonOf(failure)}`;
    const problem = new MongoUnavailable(why, { cause: failure });
    problems.set(connectionId, problem);
    onProblem(problem);
  });
  return problems;
}

const TICK_MS = 1_000;
const SLACK_MS = 1_000;

/**
 * Calls `onStuck` when the driver waits too long for the answer to a heartbeat. When a polled server closes all
 * connections at once, the driver (7.8 and 7.9) may send a heartbeat on a closed connection and wait for ever, while
 * the server counts as unknown. Waiting is counted in ticks, because a suspended process must not take its pause for
 * silence of the server. Returns a function that ends the watch.
 */
function watchHeartbeats(client: MongoClient, onStuck: () => void): () => void {
  const { connectTimeoutMS, heartbeatFrequencyMS } = client.options;
  // Without a connect time-out, a slow answer can't be told from a missing one.
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
