import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { type MongoConnection, openMongo } from "@travel-booking/engines/mongodb";
import type { ReadStore } from "@travel-booking/engines/read-store";
import { openMongoReadStore } from "@travel-booking/engines/read-store/mongodb";
import { Projector } from "@travel-booking/projector";
import { newWords } from "@travel-booking/read-models/testing";
import { describeWith, startMongo } from "../../engines/index.ts";
import { freshDatabase } from "../mongodb/kit/fresh-database.ts";
import { WireProxy } from "../mongodb/kit/wire-proxy.ts";
import { allBoarded, BoardingLog, boarding } from "./kit/boarding.ts";

/** More real time than anything here takes; a test that needs it fails. */
const LONG = 120_000;
const WRITING = new Set(["insert", "update", "delete"]);

describeWith({ mongo: startMongo }, "a projector on MongoDB", ({ mongo }) => {
  let proxy: WireProxy;
  let connection: MongoConnection;
  let log: BoardingLog;
  let problems: unknown[];

  beforeEach(async () => {
    const url = freshDatabase(mongo.url);
    proxy = await WireProxy.start(url);
    connection = openMongo(url);
    log = new BoardingLog();
    problems = [];
  });
  afterEach(async () => {
    await connection.db.dropDatabase();
    await connection.close();
    await proxy.stop();
  });

  function projectorOn(readStore: ReadStore): Projector {
    return new Projector({
      eventStore: log.store,
      readStore,
      words: newWords(),
      skippedEvents: { has: async () => false },
      projections: [boarding],
      onFatal: (error) => problems.push(error),
      onProblem: ({ error }) => problems.push(error),
      graceMs: 0,
    });
  }

  /** What there is once all of the log is folded in, and what a fold of it from the beginning makes. */
  async function foldedAndRebuilt(projector: Projector, readStore: ReadStore) {
    expect(await projector.progress.waitUntil("boarding", await log.store.head(), LONG)).toBe(true);
    const folded = await allBoarded(readStore);
    await projector.rebuild("boarding");
    expect((await projector.list()).map(({ state, error }) => [state, error])).toStrictEqual([["live", null]]);
    return [folded, await allBoarded(readStore)];
  }

  test("keeps its documents up with the log, and rebuilds them to the same", async () => {
    const readStore = openMongoReadStore(connection);
    const projector = projectorOn(readStore);
    await log.board("a", "b", "a");
    await projector.start();
    for (let n = 0; n < 20; n++) await log.board("a", "b", "c");
    const [folded, rebuilt] = await foldedAndRebuilt(projector, readStore);
    expect(folded).toStrictEqual(rebuilt);
    expect(problems).toStrictEqual([]);
    await projector.stop();
  });

  test("that is killed anywhere in the middle of a batch goes on where it was, and nothing is folded in twice", async () => {
    const readStore = openMongoReadStore(connection);
    for (let commands = 1; commands <= 20; commands++) {
      const dying = openMongo(proxy.url);
      const first = projectorOn(openMongoReadStore(dying));
      await first.start();
      expect(await first.progress.waitUntil("boarding", await log.store.head(), LONG)).toBe(true);
      let begun = 0;
      proxy.outcomeOf = ({ command }) =>
        WRITING.has(command ?? "") && ++begun === commands ? "done" : begun >= commands ? "lost" : "answered";
      await log.board("a", "b", "a", "c", "b", "a");
      const isDone = await first.progress.waitUntil("boarding", await log.store.head(), 300);
      await dying.close();
      await first.stop();
      proxy.outcomeOf = () => "answered";
      problems = [];
      const second = projectorOn(readStore);
      await second.start();
      expect(await second.progress.waitUntil("boarding", await log.store.head(), LONG)).toBe(true);
      await second.stop();
      expect(problems).toStrictEqual([]);
      if (isDone) break;
    }
    const projector = projectorOn(readStore);
    await projector.start();
    const [folded, rebuilt] = await foldedAndRebuilt(projector, readStore);
    expect(folded).toStrictEqual(rebuilt);
    await projector.stop();
  });

  test("whose server breaks off in the middle of a batch goes on when it is back", async () => {
    const breaking = openMongo(proxy.url);
    const readStore = openMongoReadStore(breaking);
    const projector = projectorOn(readStore);
    await projector.start();
    for (let commands = 1; commands <= 12; commands++) {
      let begun = 0;
      proxy.outcomeOf = ({ command }) => {
        if (!WRITING.has(command ?? "") || ++begun !== commands) return "answered";
        return commands % 2 === 0 ? "done" : "lost";
      };
      await log.board("a", "b", "a", "c", "b", "a");
      expect(await projector.progress.waitUntil("boarding", await log.store.head(), LONG)).toBe(true);
    }
    proxy.outcomeOf = () => "answered";
    const [folded, rebuilt] = await foldedAndRebuilt(projector, readStore);
    expect(folded).toStrictEqual(rebuilt);
    expect(problems.length).toBeGreaterThan(0);
    await projector.stop();
    await breaking.close();
  });
});
