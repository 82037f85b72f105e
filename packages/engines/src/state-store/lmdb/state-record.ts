import { crc32 } from "node:zlib";
import { DamagedStore } from "../../lmdb/index.ts";

/** A stored record, with its metadata decoded. */
export interface OpenedRecord {
  readonly version: number;
  readonly expiresAt: number | null;
  readonly bytes: Buffer;
}

/** CRC-32 of the rest, the format, the version, the expiry or NaN, the value as JSON. Numbers are doubles. */
const FORMAT_AT = 4;
const VERSION_AT = 5;
const EXPIRES_AT = 13;
const VALUE_AT = 21;
const FORMAT = 1;

/** Encodes a record without its key, which is the key in the database. */
export function encodeRecord(value: unknown, version: number, expiresAt: number | null): OpenedRecord {
  // A value that has no JSON is read back as null.
  const json = JSON.stringify(value) ?? "null";
  // Cached for a while: a slice of Node's pool would keep 64 kB alive.
  const bytes = Buffer.allocUnsafeSlow(VALUE_AT + Buffer.byteLength(json));
  bytes[FORMAT_AT] = FORMAT;
  bytes.writeDoubleLE(version, VERSION_AT);
  bytes.writeDoubleLE(expiresAt ?? Number.NaN, EXPIRES_AT);
  bytes.write(json, VALUE_AT);
  bytes.writeUInt32LE(crc32(bytes.subarray(FORMAT_AT)), 0);
  return { version, expiresAt, bytes };
}

/** @param name of the record, for the error. @throws DamagedStore */
export function openRecord(name: string, bytes: Buffer): OpenedRecord {
  const format =
    bytes.length > FORMAT_AT && crc32(bytes.subarray(FORMAT_AT)) === bytes.readUInt32LE(0) && bytes[FORMAT_AT];
  if (format !== FORMAT) throw new DamagedStore("state", `the record ${name} is not what was written`);
  const expiresAt = bytes.readDoubleLE(EXPIRES_AT);
  return {
    version: bytes.readDoubleLE(VERSION_AT),
    expiresAt: Number.isNaN(expiresAt) ? null : expiresAt,
    bytes,
  };
}

export function decodeValue<Value>({ bytes }: OpenedRecord): Value {
  return JSON.parse(bytes.toString("utf8", VALUE_AT));
}
