import { once } from "node:events";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { type MongoConnection, MongoUnavailable, openMongo, translateMongoErrors } from "../../src/mongodb/index.ts";
import { FakeServer } from "./kit/fake-server.ts";

let server: FakeServer;
let connection: MongoConnection;

beforeEach(async () => {
  server = await FakeServer.start();
  // Generous where the machine may be busy; short heartbeats, so that one without an answer is noticed soon.
  const patience = "serverSelectionTimeoutMS=15000&waitQueueTimeoutMS=15000";
  connection = openMongo(`${server.url}/?${patience}&heartbeatFrequencyMS=1000&connectTimeoutMS=500`);
});
afterEach(async () => {
  await connection.close();
  server.stop();
});

/** Real milliseconds; a heartbeat that comes sooner after another waits until they are over. */
const BETWEEN_HEARTBEATS_MS = 500;

/** The server ends everything at once, in the midst of commands, and long enough after a heartbeat that the next is sent at once. */
async function closeEverything(): Promise<void> {
  const { client } = connection.db;
  await Promise.all(Array.from({ length: 10 }, () => connection.ping()));
  await once(client, "serverHeartbeatSucceeded");
  await new Promise((resolve) => setTimeout(resolve, BETWEEN_HEARTBEATS_MS + 100));
  const unanswered = Array.from({ length: 8 }, () => connection.db.command({ never: 1 }));
  await connection.ping();
  server.closeConnections();
  const ends = await Promise.allSettled(unanswered);
  expect(ends.map(({ status }) => status)).toStrictEqual(ends.map(() => "rejected"));
}

/** Each attempt takes as long as the driver looks for a server. */
async function isAnswered(attempts: number): Promise<boolean> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    try {
      await connection.ping();
      return true;
    } catch (error) {
      expect(error).toBeInstanceOf(MongoUnavailable);
    }
  }
  return false;
}

test("a server that ends all connections at once is found again, every time", async () => {
  for (let times = 0; times < 2; times++) {
    await closeEverything();
    expect(await isAnswered(3)).toBe(true);
  }
});

test("a server that ends a connection while a command is being sent is out of reach", async () => {
  await connection.ping();
  server.stopReading();
  // More than the buffers of both sockets hold, so that the driver waits until the rest can be sent.
  const large = { never: 1, data: Buffer.alloc(12 << 20) };
  const sent = once(connection.db.client, "connectionCheckedOut");
  const failure = translateMongoErrors(MongoUnavailable, () => connection.db.command(large)).catch((error) => error);
  await sent;
  await new Promise((resolve) => setImmediate(resolve));
  server.closeConnections();
  expect(await failure).toBeInstanceOf(MongoUnavailable);
});
