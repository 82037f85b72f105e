import { describeBlobStore } from "@travel-booking/engines/blob-store/contract";
import { openGridFsBlobStore } from "@travel-booking/engines/blob-store/gridfs";
import { describeWith, startMongo } from "../../engines/index.ts";
import { openFresh } from "../mongodb/kit/fresh-database.ts";
import { leftoversIn } from "./kit/leftovers.ts";

describeWith({ mongo: startMongo }, "on a server", ({ mongo }) => {
  describeBlobStore("GridFS", async () => {
    const connection = openFresh(mongo.url);
    return {
      store: openGridFsBlobStore(connection),
      reopen: async () => openGridFsBlobStore(connection),
      leftovers: () => leftoversIn(connection.db),
      dispose: () => connection.close(),
    };
  });
});
