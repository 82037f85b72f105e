import type { ObjectId } from "mongodb";
import type { GridFsCollections } from "./gridfs-collections.ts";
import { READ_TIMEOUT_MS } from "./translate-errors.ts";

/** Removed on the way of one put. */
const MAX_REMOVED = 10;

/** Removes what uploads and removals begun before this moment have left. A file whose record is there is finished. */
export async function removeAbandonedUploads(collections: GridFsCollections, before: Date): Promise<void> {
  const { files, unfinished } = collections;
  const abandoned = unfinished.find({ since: { $lt: before } }, { limit: MAX_REMOVED, maxTimeMS: READ_TIMEOUT_MS });
  for (const { _id } of await abandoned.toArray()) {
    const file = await files.findOne({ _id }, { projection: { _id: 1 }, maxTimeMS: READ_TIMEOUT_MS });
    if (file === null) await removeChunks(collections, _id);
    else await unfinished.deleteOne({ _id });
  }
}

/** Of a file whose record is not there; then nothing of it is left. */
export async function removeChunks({ chunks, unfinished }: GridFsCollections, id: ObjectId): Promise<void> {
  await chunks.deleteMany({ files_id: id });
  await unfinished.deleteOne({ _id: id });
}
