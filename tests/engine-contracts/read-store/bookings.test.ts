import { test } from "@jest/globals";
import { openMongo } from "@travel-booking/engines/mongodb";
import { openMongoReadStore } from "@travel-booking/engines/read-store/mongodb";
import { compareAnswers, cuts, projectedBoth, projectOn } from "@travel-booking/projector/testing/against-reference";
import { lives } from "@travel-booking/projector/testing/random-lives";
import fc from "fast-check";
import { describeWith, startMongo } from "../../engines/index.ts";
import { freshDatabase } from "../mongodb/kit/fresh-database.ts";

describeWith({ mongo: startMongo }, "bookings on MongoDB", ({ mongo }) => {
  test("whatever happens to a booking, and however the log is cut, all answers are the reference's", async () => {
    const connection = openMongo(freshDatabase(mongo.url));
    const store = openMongoReadStore(connection);
    let generation = 0;
    try {
      await fc.assert(
        fc.asyncProperty(lives, cuts, async (events, cut) => {
          generation += 1;
          await projectOn(store, generation, events, cut);
          store.refresh();
          const { old } = await projectedBoth(events, cut);
          await compareAnswers(old, store, events);
        }),
        { numRuns: 20 },
      );
    } finally {
      await connection.db.dropDatabase();
      await connection.close();
    }
  });
});
