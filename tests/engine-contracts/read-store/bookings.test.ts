import { test } from "@jest/globals";
import { openMongo } from "@travel-booking/engines/mongodb";
import { openMongoReadStore } from "@travel-booking/engines/read-store/mongodb";
import { compareOn } from "@travel-booking/projector/testing/against-reference";
import { describeWith, startMongo } from "../../engines/index.ts";
import { freshDatabase } from "../mongodb/kit/fresh-database.ts";

describeWith({ mongo: startMongo }, "bookings on MongoDB", ({ mongo }) => {
  test("whatever happens to a booking, and however the log is cut, all answers are the reference's", async () => {
    const connection = openMongo(freshDatabase(mongo.url));
    try {
      await compareOn(openMongoReadStore(connection), 20);
    } finally {
      await connection.db.dropDatabase();
      await connection.close();
    }
  });
});
