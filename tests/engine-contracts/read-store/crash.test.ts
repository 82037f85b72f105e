import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { type MongoConnection, openMongo } from "@travel-booking/engines/mongodb";
import { ReadStoreUnavailable, type Write } from "@travel-booking/engines/read-store";
import { openMongoReadStore } from "@travel-booking/engines/read-store/mongodb";
import { describeWith, startMongo } from "../../engines/index.ts";
import { allDocuments, createLive, GENERATION, put, ship } from "../mongodb/kit/documents.ts";
import { freshDatabase } from "../mongodb/kit/fresh-database.ts";
import { type CommandOutcome, WireProxy } from "../mongodb/kit/wire-proxy.ts";

const WRITING = new Set(["insert", "update", "delete", "createIndexes"]);
const LOG = "ships.log";

const FIRST = { ...GENERATION, checkpoint: 5n, writes: [put(ship("a", 4n)), put(ship("b", 5n)), put(ship("c", 5n))] };

/** Changes one document, ends one, makes one, and makes two of another model. */
const SECOND = {
  ...GENERATION,
  checkpoint: 9n,
  writes: [
    put(ship("a", 6n)),
    put(ship("a", 9n)),
    { kind: "delete", model: "ships.ship", key: "b", position: 7n },
    put(ship("d", 8n)),
    put(ship("a/6", 6n), LOG),
    put(ship("a/9", 9n), LOG),
  ] satisfies Write[],
};

const AFTER = {
  checkpoint: 9n,
  ships: [ship("a", 9n), ship("c", 5n), ship("d", 8n)],
  log: [ship("a/6", 6n), ship("a/9", 9n)],
};

describeWith({ mongo: startMongo }, "a process that dies while it writes a batch", ({ mongo }) => {
  let proxy: WireProxy;
  let survivor: MongoConnection;

  beforeEach(async () => {
    const url = freshDatabase(mongo.url);
    proxy = await WireProxy.start(url);
    survivor = openMongo(url);
  });
  afterEach(async () => {
    await survivor.db.dropDatabase();
    await survivor.close();
    await proxy.stop();
  });

  async function stored() {
    const store = openMongoReadStore(survivor);
    return {
      checkpoint: (await store.checkpoint(GENERATION)).position,
      ships: await allDocuments(store),
      log: await allDocuments(store, LOG),
    };
  }

  /** How many writing commands the process got through with, the last of them with this fate; all if it lived. */
  async function writeUntil(commands: number, fate: CommandOutcome): Promise<number> {
    const process = openMongo(proxy.url);
    const store = openMongoReadStore(process);
    (await store.checkpoint(GENERATION)).position;
    let begun = 0;
    proxy.outcomeOf = ({ command }) => {
      if (!WRITING.has(command ?? "")) return begun > commands ? "lost" : "answered";
      begun++;
      return begun < commands ? "answered" : begun === commands ? fate : "lost";
    };
    const failure: unknown = await store.write([SECOND]).catch((error: unknown) => error);
    if (failure !== undefined) expect(failure).toBeInstanceOf(ReadStoreUnavailable);
    proxy.outcomeOf = () => "answered";
    await process.close();
    return begun;
  }

  test.each<[CommandOutcome]>([["done"], ["lost"]])(
    "leaves all of it or nothing, wherever that is; last command %s",
    async (fate) => {
      const before = openMongoReadStore(survivor);
      const outcomes: bigint[] = [];
      for (let commands = 1; ; commands++) {
        await survivor.db.dropDatabase();
        await createLive(before);
        await before.write([FIRST]);
        const old = await stored();
        const begun = await writeUntil(commands, fate);
        const found = await stored();
        outcomes.push(found.checkpoint);
        expect(found).toStrictEqual(found.checkpoint === 5n ? old : AFTER);
        const store = openMongoReadStore(survivor);
        for (const again of [[SECOND], [SECOND], [FIRST]]) await store.write(again);
        expect(await stored()).toStrictEqual(AFTER);
        if (begun < commands) break;
      }
      expect(new Set(outcomes)).toStrictEqual(new Set([5n, 9n]));
      expect(outcomes.length).toBeGreaterThan(5);
    },
  );
});
