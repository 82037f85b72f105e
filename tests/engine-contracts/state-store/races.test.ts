import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { type MongoConnection, openMongo } from "@travel-booking/engines/mongodb";
import type { StateStore } from "@travel-booking/engines/state-store";
import { openMongoStateStore } from "@travel-booking/engines/state-store/mongodb";
import { describeWith, startMongo } from "../../engines/index.ts";
import { freshDatabase } from "../mongodb/kit/fresh-database.ts";
import { WireProxy } from "../mongodb/kit/wire-proxy.ts";

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
