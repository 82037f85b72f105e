import type { Db } from "mongodb";

/** Chunks of no file, and notes of what is unfinished. */
export async function leftoversIn(db: Db): Promise<number> {
  const files = await db.collection("blobs.files").find({}).toArray();
  const ids = new Set(files.map(({ _id }) => String(_id)));
  const chunks = await db
    .collection("blobs.chunks")
    .find({}, { projection: { files_id: 1 } })
    .toArray();
  const orphans = chunks.filter(({ files_id }) => !ids.has(String(files_id)));
  return orphans.length + (await db.collection("blobs.unfinished").countDocuments({}));
}
