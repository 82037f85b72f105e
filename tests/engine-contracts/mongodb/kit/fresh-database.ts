import { randomUUID } from "node:crypto";
import { type MongoConnection, openMongo } from "@travel-booking/engines/mongodb";

/** The same server, and an empty database of its own. */
export function freshDatabase(url: string): string {
  return url.replace(/^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?/, `$1/test_${randomUUID()}`);
}

/** A connection to an empty database, which is gone in the end. */
export function openFresh(url: string): MongoConnection {
  const connection = openMongo(freshDatabase(url));
  return {
    ...connection,
    async close() {
      await connection.db.dropDatabase();
      await connection.close();
    },
  };
}
