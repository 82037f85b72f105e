import { type Db, MongoClient } from "mongodb";
import { clientOptions, databaseName, explainUrl } from "./client-options.ts";
import { connect, reconnect } from "./connect.ts";
import { MongoUnavailable } from "./mongo-unavailable.ts";
import { translateMongoErrors } from "./translate-mongo-errors.ts";
import { watchHeartbeats } from "./watch-heartbeats.ts";
import { watchServers } from "./watch-servers.ts";

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
