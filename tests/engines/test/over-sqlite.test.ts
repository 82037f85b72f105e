import { describe, expect, test } from "@jest/globals";
import { MongoClient } from "mongodb";
import { ferretOverSqlite } from "../mongo/over-sqlite.ts";
import { titleOfSkipped } from "../title-of-skipped.ts";
import { remainingTraces, tracesOf } from "./kit/traces.ts";

const missing = ferretOverSqlite.missingReason({});
const title = "FerretDB over SQLite";
/** It may have to be built first: a run that has a MongoDB builds no FerretDB. */
const BUILT_WITHIN_MS = 11 * 60_000;

(missing === undefined ? describe : describe.skip)(
  missing === undefined ? title : titleOfSkipped(title, missing),
  () => {
    test(
      "has its data after a kill, and leaves nothing in the end",
      async () => {
        const mongo = await ferretOverSqlite.start({});
        const traces = tracesOf(mongo.url);
        try {
          const client = new MongoClient(mongo.url);
          await client.db().collection<{ _id: string }>("things").insertOne({ _id: "kept" });
          await client.close();
          await mongo.restart();
          const again = new MongoClient(mongo.url);
          expect(await again.db().collection<{ _id: string }>("things").find().toArray()).toStrictEqual([
            { _id: "kept" },
          ]);
          await again.close();
        } finally {
          await mongo.stop();
        }
        expect(await remainingTraces(traces)).toStrictEqual([]);
      },
      BUILT_WITHIN_MS,
    );
  },
);
