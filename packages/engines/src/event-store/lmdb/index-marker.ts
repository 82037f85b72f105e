import { DamagedStore, verifyChecksum, withChecksum } from "../../lmdb/index.ts";
import type { EventDatabases } from "./databases.ts";

/**
 * Up to which position the index of streams is complete. Written in one transaction with the entries it speaks of;
 * 0 where it was never written, which is always safe: the index is then made from the log again.
 */
const KEY = "indexed";
const BYTES = 8;

/** @throws DamagedStore */
export function loadIndexMarker({ meta }: EventDatabases): number {
  const record = meta.get(KEY);
  if (record === undefined) return 0;
  const content = verifyChecksum(record);
  if (content?.length !== BYTES) throw new DamagedStore(KEY, "how far streams are indexed is not what was written");
  return content.readDoubleLE(0);
}

/** To be called within a transaction. */
export function putIndexMarker({ meta }: EventDatabases, position: number): void {
  const content = Buffer.allocUnsafe(BYTES);
  content.writeDoubleLE(position, 0);
  void meta.put(KEY, withChecksum(content));
}
