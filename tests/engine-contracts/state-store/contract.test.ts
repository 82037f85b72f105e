import { describeStateStore } from "@travel-booking/engines/state-store/contract";
import { openMongoStateStore } from "@travel-booking/engines/state-store/mongodb";
import { describeWith, startMongo } from "../../engines/index.ts";
import { openFresh } from "../mongodb/kit/fresh-database.ts";

describeWith({ mongo: startMongo }, "on a server", ({ mongo }) => {
  describeStateStore("MongoDB", async () => {
    const connection = openFresh(mongo.url);
    return { store: openMongoStateStore(connection), dispose: () => connection.close() };
  });
});
