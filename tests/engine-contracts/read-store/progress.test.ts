import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { type MongoConnection, openMongo } from "@travel-booking/engines/mongodb";
import { parseBody, type ReadModels, type ReadStore, ReadStoreUnavailable } from "@travel-booking/engines/read-store";
import { MongoProgress, openMongoReadStore } from "@travel-booking/engines/read-store/mongodb";
import { describeWith, startMongo } from "../../engines/index.ts";
import { createLive, GENERATION, MODEL, put, ship } from "../mongodb/kit/documents.ts";
import { freshDatabase } from "../mongodb/kit/fresh-database.ts";
import { WireProxy } from "../mongodb/kit/wire-proxy.ts";

/** More real time than anything here takes; a test that needs it fails. */
const LONG = 120_000;

describeWith({ mongo: startMongo }, "the progress of a projector elsewhere", ({ mongo }) => {
  let elsewhere: MongoConnection;
  let writer: ReadStore;
  let proxy: WireProxy;
  let here: MongoConnection;
  let progress: MongoProgress;
  let models: ReadModels;
  let problems: unknown[];
  let told: (() => void) | undefined;

  beforeEach(async () => {
    const url = freshDatabase(mongo.url);
    elsewhere = openMongo(url);
    writer = openMongoReadStore(elsewhere);
    await createLive(writer);
    await write(5);
    proxy = await WireProxy.start(url);
    here = openMongo(proxy.url);
    problems = [];
    progress = new MongoProgress(here, {
      onProblem: (problem) => {
        problems.push(problem);
        told?.();
      },
    });
    ({ models } = progress);
  });
  afterEach(async () => {
    await progress.stop();
    await elsewhere.db.dropDatabase();
    for (const connection of [here, elsewhere]) await connection.close();
    await proxy.stop();
  });

  async function write(position: number, generation = 1): Promise<void> {
    const writes = [put(ship("a", BigInt(position), { body: JSON.stringify({ position, generation }) }))];
    await writer.write([{ ...GENERATION, generation, checkpoint: BigInt(position), writes }]);
  }

  async function read() {
    const body = await models.body(MODEL, "a");
    return body && parseBody<{ position: number; generation: number }>(body);
  }

  test("is known once it has been started", async () => {
    expect(progress.positionOf("ships")).toBe(0n);
    await progress.start();
    expect([progress.positionOf("ships"), progress.positionOf("other")]).toStrictEqual([5n, 0n]);
    expect(await progress.waitUntil("ships", 5n, 0)).toBe(true);
  });

  test("whoever waits hears of it, and reads it", async () => {
    await progress.start();
    for (let position = 6; position <= 15; position++) {
      const waiting = progress.waitUntil("ships", BigInt(position), LONG);
      await write(position);
      expect(await waiting).toBe(true);
      expect(progress.positionOf("ships")).toBe(BigInt(position));
      expect((await read())?.position).toBe(position);
    }
  });

  test("it is heard of without anybody waiting, too", async () => {
    await progress.start();
    await write(6);
    while (progress.positionOf("ships") < 6n) await setTimeout(10);
    expect(progress.positionOf("ships")).toBe(6n);
  });

  test("a wait for what does not come ends in time, others go on", async () => {
    await progress.start();
    const other = progress.waitUntil("ships", 6n, LONG);
    expect(await progress.waitUntil("ships", 7n, 50)).toBe(false);
    expect(await progress.waitUntil("none", 1n, 50)).toBe(false);
    await write(6);
    expect(await other).toBe(true);
  });

  test("who has heard of a position reads from a generation that has it, while generations replace each other", async () => {
    await progress.start();
    let position = 5;
    for (let generation = 2; generation <= 6; generation++) {
      await writer.create("ships", 1);
      await write(++position, generation);
      await writer.switchLive({ ...GENERATION, generation });
      await writer.drop({ ...GENERATION, generation: generation - 1 });
      expect(await progress.waitUntil("ships", BigInt(position), LONG)).toBe(true);
      expect(await read()).toStrictEqual({ position, generation });
    }
  });

  test("a projection that comes to be later is heard of", async () => {
    await progress.start();
    const waiting = progress.waitUntil("late", 3n, LONG);
    const late = await createLive(writer, "late");
    await writer.write([{ ...late, checkpoint: 3n, writes: [] }]);
    expect(await waiting).toBe(true);
  });

  test("a server that can't be reached is told of, and heard again when it is back; waits meanwhile end in time", async () => {
    await progress.start();
    proxy.outcomeOf = () => "lost";
    await new Promise<void>((resolve) => {
      told = resolve;
    });
    expect(problems[0]).toBeInstanceOf(ReadStoreUnavailable);
    expect(await progress.waitUntil("ships", 6n, 50)).toBe(false);
    expect(progress.positionOf("ships")).toBe(5n);
    const waiting = progress.waitUntil("ships", 6n, LONG);
    await write(6);
    proxy.outcomeOf = () => "answered";
    expect(await waiting).toBe(true);
  });

  test("started without a server, it begins as soon as there is one", async () => {
    proxy.outcomeOf = () => "lost";
    await progress.start();
    expect(problems.length).toBeGreaterThan(0);
    expect(progress.positionOf("ships")).toBe(0n);
    const waiting = progress.waitUntil("ships", 5n, LONG);
    proxy.outcomeOf = () => "answered";
    expect(await waiting).toBe(true);
  });

  test("stopping ends all waits, and nobody asks the server any more", async () => {
    await progress.start();
    const waiting = [1n, 2n].map((more) => progress.waitUntil("ships", 5n + more, LONG));
    await progress.stop();
    expect(await Promise.all(waiting)).toStrictEqual([false, false]);
    expect(await progress.waitUntil("ships", 6n, LONG)).toBe(false);
    let asked = 0;
    proxy.outcomeOf = ({ collection }) => {
      if (collection === "projections") asked++;
      return "answered";
    };
    await here.ping();
    expect(asked).toBe(0);
  });
});
