import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { type MongoConnection, MongoUnavailable, openMongo } from "@travel-booking/engines/mongodb";
import { StateStoreUnavailable } from "@travel-booking/engines/state-store";
import { openMongoStateStore } from "@travel-booking/engines/state-store/mongodb";
import { describeWith, startMongo } from "../../engines/index.ts";
import { freshDatabase } from "./kit/fresh-database.ts";
import { WireProxy } from "./kit/wire-proxy.ts";

describeWith({ mongo: startMongo }, "a connection to MongoDB", ({ mongo }) => {
  let proxy: WireProxy;
  let connection: MongoConnection;
  let problems: MongoUnavailable[];

  beforeEach(async () => {
    proxy = await WireProxy.start(freshDatabase(mongo.url));
    problems = [];
    connection = openMongo(proxy.url, { onProblem: (problem) => problems.push(problem) });
  });
  afterEach(async () => {
    await connection.close();
    await proxy.stop();
  });

  test("says that the server is there", async () => {
    await connection.ping();
    expect(problems).toStrictEqual([]);
  });

  test("finds a server that was not there when it was opened", async () => {
    proxy.outcomeOf = () => "lost";
    await expect(connection.ping()).rejects.toBeInstanceOf(MongoUnavailable);
    const state = openMongoStateStore(connection);
    await expect(state.put("s", "k", 1)).rejects.toBeInstanceOf(StateStoreUnavailable);
    proxy.outcomeOf = () => "answered";
    const isThere = () =>
      connection.ping().then(
        () => true,
        () => false,
      );
    while (!(await isThere())) await setTimeout(20);
    expect(await state.get("s", "k")).toBeUndefined();
    expect(await state.put("s", "k", 2)).toMatchObject({ value: 2 });
  });

  test("notices a server that takes commands and answers none, ends what waits for it, and uses it when it answers", async () => {
    const state = openMongoStateStore(connection);
    const { version } = await state.put("s", "k", 1);
    proxy.isSilent = true;
    const failures = await Promise.allSettled([state.get("s", "k"), state.put("s", "k", 2)]);
    for (const failure of failures) {
      expect(failure).toMatchObject({ status: "rejected", reason: expect.any(StateStoreUnavailable) });
    }
    await expect(connection.ping()).rejects.toBeInstanceOf(MongoUnavailable);
    expect(problems.length).toBeGreaterThan(0);
    proxy.isSilent = false;
    proxy.cut();
    expect(await state.put("s", "k", 3)).toMatchObject({ version: version + 1 });
    await connection.ping();
    expect((await state.get("s", "k"))?.value).toBe(3);
  });

  test("a connection that breaks is told of once at most, and is made anew", async () => {
    await connection.ping();
    proxy.cut();
    for (let n = 0; n < 5; n++) await connection.ping().catch(() => undefined);
    await connection.ping();
    expect(problems.length).toBeLessThanOrEqual(1);
  });

  test("what is under way when it is closed fails as unavailable", async () => {
    const state = openMongoStateStore(connection);
    await state.put("s", "k", 1);
    const done = Promise.allSettled(Array.from({ length: 50 }, (_, n) => state.put("s", `k${n}`, n)));
    await connection.close();
    for (const result of await done) {
      if (result.status === "rejected") expect(result.reason).toBeInstanceOf(StateStoreUnavailable);
    }
    await expect(state.get("s", "k")).rejects.toBeInstanceOf(StateStoreUnavailable);
  });
});
