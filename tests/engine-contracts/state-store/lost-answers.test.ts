import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { type MongoConnection, openMongo } from "@travel-booking/engines/mongodb";
import { type StateStore, StateStoreUnavailable } from "@travel-booking/engines/state-store";
import { openMongoStateStore } from "@travel-booking/engines/state-store/mongodb";
import { describeWith, startMongo } from "../../engines/index.ts";
import { freshDatabase } from "../mongodb/kit/fresh-database.ts";
import { type CommandOutcome, WireProxy } from "../mongodb/kit/wire-proxy.ts";

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
