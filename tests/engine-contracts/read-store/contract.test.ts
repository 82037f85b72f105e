import { openMongo } from "@travel-booking/engines/mongodb";
import { describeReadStore } from "@travel-booking/engines/read-store/contract";
import { openMongoReadStore } from "@travel-booking/engines/read-store/mongodb";
import { describeWith, startMongo } from "../../engines/index.ts";
import { freshDatabase } from "../mongodb/kit/fresh-database.ts";

describeWith({ mongo: startMongo }, "on a server", ({ mongo }) => {
  describeReadStore("MongoDB", async () => {
    const url = freshDatabase(mongo.url);
    let connection = openMongo(url);
    return {
      store: openMongoReadStore(connection),
      async reopen() {
        await connection.close();
        connection = openMongo(url);
        return openMongoReadStore(connection);
      },
      async close() {
        await connection.db.dropDatabase();
        await connection.close();
      },
    };
  });
});
