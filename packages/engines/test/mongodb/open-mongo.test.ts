import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import { describe, expect, test } from "@jest/globals";
import { MongoServerError } from "mongodb";
import { isUnavailableError, refusalOf } from "../../src/mongodb/errors.ts";
import { InvalidMongoUrl, type MongoConnection, MongoUnavailable, openMongo } from "../../src/mongodb/index.ts";

/** Nobody listens there. */
const CLOSED_PORT = 1;

async function opened<Result>(url: string, work: (connection: MongoConnection) => Result): Promise<Result> {
  const connection = openMongo(url);
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

describe("the address", () => {
  test.each([
    ["mongodb://127.0.0.1:1", "travel_booking"],
    ["mongodb://127.0.0.1:1/", "travel_booking"],
    ["mongodb://127.0.0.1:1/?retryWrites=false", "travel_booking"],
    ["mongodb://127.0.0.1:1/other", "other"],
    ["mongodb://user:p%2Fw@one.example:1,two.example:2/a%20b?replicaSet=rs0", "a b"],
  ])("%s names the database %s", async (url, name) => {
    expect(await opened(url, ({ db }) => db.databaseName)).toBe(name);
  });

  test("its options count more than the project's, whatever their case", async () => {
    const url = "mongodb://127.0.0.1:1/?w=1&readpreference=secondary&serverSelectionTimeoutMS=7&retryWrites=false";
    const options = await opened(url, ({ db }) => db.client.options);
    expect(options.writeConcern).toMatchObject({ w: 1, journal: true });
    expect(options.readPreference.mode).toBe("secondary");
    expect([options.serverSelectionTimeoutMS, options.retryWrites]).toStrictEqual([7, false]);
  });

  test("where it says nothing, a majority has journalled a write, and reads go to the primary", async () => {
    const options = await opened("mongodb://127.0.0.1:1", ({ db }) => db.client.options);
    expect(options.writeConcern).toMatchObject({ w: "majority", journal: true });
    expect(options.readPreference.mode).toBe("primary");
    expect(options.serverSelectionTimeoutMS).toBe(3_000);
  });

  test.each([
    "",
    "http://user:s3cret@127.0.0.1",
    "mongodb://user:s3cret@",
    "mongodb://user:s3cret@127.0.0.1:port",
    "mongodb://user:s3c@ret@127.0.0.1:1",
    "mongodb://user:s3cret@127.0.0.1:1/?nonsense=s3cret",
    "mongodb://user:s3cret@127.0.0.1:1/?w=-1&authMechanism=s3cret",
  ])("%j is refused without telling what is secret in it", (url) => {
    const open = () => void openMongo(url).close();
    expect(open).toThrow(InvalidMongoUrl);
    expect(open).not.toThrow(/s3c|ret@/);
  });
});

test("a client leaves room for the connections of the other services", async () => {
  expect((await opened("mongodb://127.0.0.1:1", ({ db }) => db.client.options)).maxPoolSize).toBe(50);
  expect((await opened("mongodb://127.0.0.1:1/?maxPoolSize=7", ({ db }) => db.client.options)).maxPoolSize).toBe(7);
});

describe("what may be repeated is out of reach", () => {
  test.each([276, 365, 11_601, 189])("error %d of a server", (code) => {
    expect(isUnavailableError(new MongoServerError({ message: "later", code }))).toBe(true);
  });

  test.each(["RetryableWriteError", "TransientTransactionError", "RetryableError"])("the label %s", (label) => {
    expect(isUnavailableError(new MongoServerError({ message: "later", code: 1_234, errorLabels: [label] }))).toBe(
      true,
    );
  });

  test("no other error", () => {
    expect(isUnavailableError(new MongoServerError({ message: "no", code: 1_234, errorLabels: ["Other"] }))).toBe(
      false,
    );
  });
});

test("a server that refuses the password says so", () => {
  const cause = new MongoServerError({ message: "Authentication failed.", code: 18 });
  expect(refusalOf(new MongoUnavailable("out of reach", { cause }))).toMatchObject({
    isMisconfigured: true,
    message: "MongoDB does not accept the user and the password of the address",
  });
  expect(refusalOf(new MongoUnavailable("out of reach"))).toBeUndefined();
});

describe("a server that is not there", () => {
  test("does not keep it from being opened; a ping says within seconds that it is out of reach", async () => {
    await opened(`mongodb://user:s3cret@127.0.0.1:${CLOSED_PORT}`, async (connection) => {
      const failure: unknown = await connection.ping().catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(MongoUnavailable);
      expect((failure as Error).message).toContain(`ECONNREFUSED 127.0.0.1:${CLOSED_PORT}`);
      expect((failure as Error).message).not.toContain("s3cret");
    });
  });

  test("is told of once", async () => {
    const problems: MongoUnavailable[] = [];
    const connection = openMongo(`mongodb://127.0.0.1:${CLOSED_PORT}/?serverSelectionTimeoutMS=300`, {
      onProblem: (problem) => problems.push(problem),
    });
    do await connection.ping().catch(() => undefined);
    while (problems.length === 0);
    await connection.close();
    expect(problems.map(({ message }) => message)).toStrictEqual([
      `MongoDB at 127.0.0.1:${CLOSED_PORT} does not answer: connect ECONNREFUSED 127.0.0.1:${CLOSED_PORT}`,
    ]);
  });

  test("a server that takes connections and never answers is out of reach too", async () => {
    const silent = net.createServer().listen(0, "127.0.0.1");
    const sockets = new Set<net.Socket>();
    silent.on("connection", (socket) => sockets.add(socket.on("error", () => undefined)));
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;
    await opened(`mongodb://127.0.0.1:${port}/?serverSelectionTimeoutMS=300`, async (connection) => {
      await expect(connection.ping()).rejects.toBeInstanceOf(MongoUnavailable);
    });
    for (const socket of sockets) socket.destroy();
    silent.close();
  });

  test("after closing, nothing is reached any more", async () => {
    const connection = openMongo("mongodb://127.0.0.1:1");
    await connection.close();
    await expect(connection.ping()).rejects.toBeInstanceOf(MongoUnavailable);
  });
});
