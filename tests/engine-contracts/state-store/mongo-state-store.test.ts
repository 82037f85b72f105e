import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { type MongoConnection, openMongo } from "@travel-booking/engines/mongodb";
import { type StateStore, StateStoreUnavailable } from "@travel-booking/engines/state-store";
import { describeStateStore } from "@travel-booking/engines/state-store/contract";
import { openMongoStateStore } from "@travel-booking/engines/state-store/mongodb";
import { describeWith, startMongo } from "../../engines/index.ts";
import { freshDatabase, openFresh } from "../mongodb/kit/fresh-database.ts";
import { type CommandOutcome, WireProxy } from "../mongodb/kit/wire-proxy.ts";

describeWith({ mongo: startMongo }, "on a server", ({ mongo }) => {
  describeStateStore("MongoDB", async () => {
    const connection = openFresh(mongo.url);
    return { store: openMongoStateStore(connection), dispose: () => connection.close() };
  });
});

const PROCESSES = 8;

describeWith({ mongo: startMongo }, "several processes on one state store", ({ mongo }) => {
  let proxy: WireProxy;
  let connections: readonly MongoConnection[];
  let stores: readonly StateStore[];

  beforeEach(async () => {
    proxy = await WireProxy.start(freshDatabase(mongo.url));
    connections = Array.from({ length: PROCESSES }, () => openMongo(proxy.url));
    stores = connections.map((connection) => openMongoStateStore(connection));
  });
  afterEach(async () => {
    await connections[0]?.db.dropDatabase();
    for (const connection of connections) await connection.close();
    await proxy.stop();
  });

  const storeOf = (n: number) => stores[n % PROCESSES]!;

  test("of 200 creating one key at once, one does, and the others get its record", async () => {
    const results = await Promise.all(Array.from({ length: 200 }, (_, n) => storeOf(n).create("s", "k", n)));
    const winners = results.filter(({ created }) => created);
    expect(winners).toHaveLength(1);
    for (const { record } of results) expect(record).toStrictEqual(winners[0]?.record);
  });

  test("of those replacing one version at once, one does, round for round", async () => {
    const { version: first } = await storeOf(0).put("s", "k", "start");
    for (let round = 0; round < 20; round++) {
      const version = first + round;
      const results = await Promise.all(stores.map((store, n) => store.replace("s", "k", version, `${round}-${n}`)));
      const winners = results.filter((result) => result !== undefined);
      expect(winners).toHaveLength(1);
      expect(await storeOf(round).get("s", "k")).toStrictEqual(winners[0]);
    }
  });

  test("no put of another process is lost", async () => {
    const puts = Array.from({ length: 100 }, (_, n) => storeOf(n).put("s", "k", n));
    const versions = (await Promise.all(puts)).map(({ version }) => version).sort((a, b) => a - b);
    expect(versions).toStrictEqual(versions.map((_, n) => (versions[0] ?? 0) + n));
  });

  test("a record removed and made again at once is made by one, whoever removes it", async () => {
    for (let round = 0; round < 20; round++) {
      await storeOf(0).put("s", `k${round}`, "old");
      const [, ...made] = await Promise.all([
        storeOf(1).remove("s", `k${round}`),
        ...stores.slice(2).map((store, n) => store.create("s", `k${round}`, n)),
      ]);
      const record = await storeOf(0).get("s", `k${round}`);
      const makers = made.filter(({ created }) => created);
      expect(makers.length).toBeLessThanOrEqual(1);
      expect(record).toStrictEqual(makers[0]?.record);
    }
  });

  test("what expired is forgotten once, and what is prolonged meanwhile stays", async () => {
    for (let n = 0; n < 20; n++) await storeOf(n).put("s", `k${n}`, n, { expiresAt: 10 });
    const [removed] = await Promise.all([
      Promise.all(stores.map((store) => store.removeExpired(10, 100))),
      storeOf(0).put("s", "k7", "prolonged", { expiresAt: 20 }),
    ]);
    expect((await storeOf(0).get("s", "k7"))?.value).toBe("prolonged");
    expect(removed.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(19);
    expect(await storeOf(0).list("s", { limit: 100 })).toHaveLength(1);
  });
});

describeWith({ mongo: startMongo }, "a state store whose server is not answered by", ({ mongo }) => {
  let proxy: WireProxy;
  let connection: MongoConnection;
  let store: StateStore;
  let version: number;

  beforeEach(async () => {
    proxy = await WireProxy.start(withoutRetries(freshDatabase(mongo.url)));
    connection = openMongo(proxy.url);
    store = openMongoStateStore(connection);
    ({ version } = await store.put("s", "there", "old"));
  });
  afterEach(async () => {
    proxy.outcomeOf = () => "answered";
    await connection.db.dropDatabase();
    await connection.close();
    await proxy.stop();
  });

  /** The next command of this name. */
  function next(command: string, fate: CommandOutcome): void {
    proxy.outcomeOf = (message) => {
      if (message.command !== command) return "answered";
      proxy.outcomeOf = () => "answered";
      return fate;
    };
  }

  test.each<[string, CommandOutcome, boolean]>([
    ["was done: it is there", "done", true],
    ["never came: it is not there", "lost", false],
  ])("a create whose answer is lost may or may not be stored; it %s", async (_, fate, isThere) => {
    next("insert", fate);
    await expect(store.create("s", "k", 1)).rejects.toBeInstanceOf(StateStoreUnavailable);
    expect(await store.create("s", "k", 2)).toMatchObject({ created: !isThere, record: { value: isThere ? 1 : 2 } });
  });

  test.each<[CommandOutcome, number]>([
    ["done", 1],
    ["lost", 0],
  ])("a put that is %s", async (fate, writes) => {
    next("findAndModify", fate);
    await expect(store.put("s", "there", "new")).rejects.toBeInstanceOf(StateStoreUnavailable);
    expect(await store.get("s", "there")).toMatchObject({
      version: version + writes,
      value: writes === 1 ? "new" : "old",
    });
  });

  test.each<[CommandOutcome, boolean]>([
    ["done", false],
    ["lost", true],
  ])("a replace that is %s: the version tells whether it was", async (fate, isReplaced) => {
    next("findAndModify", fate);
    await expect(store.replace("s", "there", version, "new")).rejects.toBeInstanceOf(StateStoreUnavailable);
    const again = { key: "there", value: "again", version: version + 1, expiresAt: null };
    expect(await store.replace("s", "there", version, "again")).toStrictEqual(isReplaced ? again : undefined);
  });

  test("a read that is lost is repeated", async () => {
    next("find", "lost");
    expect(await store.get("s", "there")).toMatchObject({ value: "old" });
  });

  test("what waits behind a write that failed so fails with it; what comes after works", async () => {
    next("findAndModify", "lost");
    const results = await Promise.allSettled([1, 2, 3].map((value) => store.put("s", "there", value)));
    for (const result of results) {
      expect(result).toMatchObject({ status: "rejected", reason: { name: "StateStoreUnavailable" } });
    }
    expect(await store.put("s", "there", 4)).toMatchObject({ version: version + 1 });
  });

  test("the error says what happened, keeps the cause, and repeats nothing of the record", async () => {
    next("insert", "lost");
    const failure = (await store.create("s", "key-of-somebody", "secret").catch((error: unknown) => error)) as Error;
    expect(failure.message).toMatch(/^MongoDB is out of reach, a write under way may or may not be stored: connection/);
    expect(failure.message).not.toMatch(/secret|somebody/);
    expect(failure.cause).toMatchObject({ name: "MongoNetworkError" });
  });
});

/** A server that knows how to would find out by itself what became of a write. */
function withoutRetries(url: string): string {
  const changed = new URL(url);
  changed.searchParams.set("retryWrites", "false");
  return changed.href;
}
