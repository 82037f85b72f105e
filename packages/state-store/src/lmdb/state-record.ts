import { DamagedStore, sealed, unsealed } from "@travel-booking/lmdb-environment";
import type { StateRecord } from "../port.ts";

/** A record without its key, which is the key it is stored under; as JSON behind a CRC-32. */
export function encodeRecord({ value, version, expiresAt }: StateRecord<unknown>): Buffer {
  return sealed(Buffer.from(JSON.stringify({ value, version, expiresAt }), "utf8"));
}

/** @throws DamagedStore */
export function decodeRecord<Value>(space: string, key: string, stored: Buffer): StateRecord<Value> {
  const content = unsealed(stored);
  if (content === undefined) throw new DamagedStore("state", `the record ${key} of ${space} is not what was written`);
  return { key, ...JSON.parse(content.toString("utf8")) };
}
