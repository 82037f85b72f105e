import { randomBytes } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { BlobStoreUnavailable, DamagedBlob } from "@travel-booking/engines/blob-store";
import { describeBlobStore, pieces, sha256 } from "@travel-booking/engines/blob-store/contract";
import { openGridFsBlobStore } from "@travel-booking/engines/blob-store/gridfs";
import { type MongoConnection, openMongo } from "@travel-booking/engines/mongodb";
import { type Db, GridFSBucket } from "mongodb";
import { describeWith, startMongo } from "../../engines/index.ts";
import { freshDatabase, openFresh } from "../mongodb/kit/fresh-database.ts";
import { type CommandOutcome, WireProxy } from "../mongodb/kit/wire-proxy.ts";

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

const LIMIT = { maxBytes: 10_000_000 };

describeWith({ mongo: startMongo }, "blobs in GridFS", ({ mongo }) => {
  let proxy: WireProxy;
  let dying: MongoConnection;
  let connection: MongoConnection;

  beforeEach(async () => {
    const url = freshDatabase(mongo.url);
    proxy = await WireProxy.start(url);
    dying = openMongo(proxy.url);
    connection = openMongo(url);
  });
  afterEach(async () => {
    await connection.db.dropDatabase();
    await connection.close();
    await dying.close();
    await proxy.stop();
  });

  async function contentOf(key: string): Promise<Buffer | undefined> {
    const blob = await openGridFsBlobStore(connection).get(key);
    return blob && Buffer.concat(await blob.stream.toArray());
  }

  /** Everything is lost from the command on that this says is the first to be. */
  function dieAt(isFirst: (collection: string | undefined) => boolean, first: CommandOutcome): void {
    let isDead = false;
    proxy.outcomeOf = ({ command, collection }) => {
      if (isDead) return "lost";
      isDead = command === "insert" && isFirst(collection);
      return isDead ? first : "answered";
    };
  }

  test("an upload whose process dies in the middle can't be seen, and what is left of it goes with its key", async () => {
    let chunks = 0;
    dieAt((collection) => collection === "blobs.chunks" && ++chunks === 3, "done");
    const upload = openGridFsBlobStore(dying).put("k", pieces(randomBytes(2_000_000)), LIMIT);
    await expect(upload).rejects.toBeInstanceOf(BlobStoreUnavailable);
    expect(await contentOf("k")).toBeUndefined();
    expect(await leftoversIn(connection.db)).toBe(3);
    const store = openGridFsBlobStore(connection);
    const content = randomBytes(1_000);
    for (const key of ["k/l", "k!", "l"]) await store.put(key, pieces(content), LIMIT);
    await store.remove("k");
    expect(await leftoversIn(connection.db)).toBe(0);
    for (const key of ["k/l", "k!", "l"]) expect((await contentOf(key))?.equals(content)).toBe(true);
  });

  test("an upload that was finished without its answer is there, and can be repeated", async () => {
    dieAt((collection) => collection === "blobs.files", "done");
    const content = randomBytes(600_000);
    const upload = openGridFsBlobStore(dying).put("k", pieces(content), LIMIT);
    await expect(upload).rejects.toBeInstanceOf(BlobStoreUnavailable);
    expect((await contentOf("k"))?.equals(content)).toBe(true);
    const store = openGridFsBlobStore(connection);
    expect(await store.put("k", pieces(content), LIMIT)).toStrictEqual({
      bytes: content.length,
      sha256: sha256(content),
    });
    expect((await contentOf("k"))?.equals(content)).toBe(true);
    expect(await leftoversIn(connection.db)).toBe(0);
  });

  test("a removal whose process dies leaves nothing that can be seen, and is finished when it is repeated", async () => {
    await openGridFsBlobStore(connection).put("k", pieces(randomBytes(600_000)), LIMIT);
    proxy.outcomeOf = ({ command }) => (command === "delete" ? "lost" : "answered");
    await expect(openGridFsBlobStore(dying).remove("k")).rejects.toBeInstanceOf(BlobStoreUnavailable);
    expect(await contentOf("k")).toBeUndefined();
    expect(await leftoversIn(connection.db)).toBeGreaterThan(0);
    await openGridFsBlobStore(connection).remove("k");
    expect(await leftoversIn(connection.db)).toBe(0);
  });

  test("a file of a former release, whose id is not its key's, is read and removed", async () => {
    const content = randomBytes(600_000);
    const metadata = { sha256: sha256(content), contentType: null };
    const bucket = new GridFSBucket(connection.db, { bucketName: "blobs" });
    bucket.openUploadStream("k", { metadata }).end(content);
    while ((await contentOf("k")) === undefined) await setImmediate();
    expect((await contentOf("k"))?.equals(content)).toBe(true);
    await openGridFsBlobStore(connection).remove("k");
    expect(await contentOf("k")).toBeUndefined();
    expect(await leftoversIn(connection.db)).toBe(0);
  });

  test.each([
    ["changed", { $set: { data: Buffer.from("something else") } }],
    ["moved", { $inc: { n: 7 } }],
  ])("content whose chunk was %s is not read as if it were whole", async (_, change) => {
    await openGridFsBlobStore(connection).put("k", pieces(randomBytes(600_000)), LIMIT);
    await connection.db.collection("blobs.chunks").updateOne({ n: 1 }, change);
    await expect(contentOf("k")).rejects.toBeInstanceOf(DamagedBlob);
  });

  test("what is stored is GridFS: others can read it", async () => {
    const content = randomBytes(600_000);
    await openGridFsBlobStore(connection).put("k", pieces(content), LIMIT);
    const bucket = new GridFSBucket(connection.db, { bucketName: "blobs" });
    const read = Buffer.concat(await bucket.openDownloadStreamByName("k").toArray());
    expect(read.equals(content)).toBe(true);
  });
});

/** Chunks of no file. */
async function leftoversIn(db: Db): Promise<number> {
  const files = await db.collection("blobs.files").find({}).toArray();
  const ids = new Set(files.map(({ _id }) => String(_id)));
  const chunks = await db
    .collection("blobs.chunks")
    .find({}, { projection: { files_id: 1 } })
    .toArray();
  return chunks.filter(({ files_id }) => !ids.has(String(files_id))).length;
}
