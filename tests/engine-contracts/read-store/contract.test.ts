import { randomUUID } from "node:crypto";
import { openMongo } from "@travel-booking/mongodb-connection";
import { openMongoReadStore } from "@travel-booking/read-store";
import { describeReadStore } from "@travel-booking/read-store/contract";
import { describeWith, startMongo } from "../../engines/index.ts";

describeWith({ mongo: startMongo }, "on a server", ({ mongo }) => {
  describeReadStore("MongoDB", async () => {
    const url = new URL(mongo.url);
    url.pathname = `/test_${randomUUID()}`;
    let connection = openMongo(url.href);
    return {
      store: openMongoReadStore(connection),
      async reopen() {
        await connection.close();
        connection = openMongo(url.href);
        return openMongoReadStore(connection);
      },
      async close() {
        await connection.db.dropDatabase();
        await connection.close();
      },
    };
  });
});
