import { DamagedStore, verifyChecksum, withChecksum } from "../../lmdb/index.ts";
import type { StateRecord } from "../index.ts";

/** The metadata of a record. */
export interface RecordHeader {
  readonly version: number;
  readonly expiresAt: number | null;
}

/** After the CRC-32: this byte, the version, the expiry or NaN, the value as JSON. Numbers are doubles. */
const FORMAT = 1;
const VERSION_AT = 1;
const EXPIRES_AT = 9;
const VALUE_AT = 17;

/** Older records are JSON as a whole. */
const OPENING_BRACE = 0x7b;

/** Encodes a record without its key, which is the key in the database. */
export function encodeRecord(value: unknown, { version, expiresAt }: RecordHeader): Buffer {
  // A value without JSON is read as null.
  const json = JSON.stringify(value) ?? "null";
  const content = Buffer.allocUnsafe(VALUE_AT + Buffer.byteLength(json));
  content[0] = FORMAT;
  content.writeDoubleLE(version, VERSION_AT);
  content.writeDoubleLE(expiresAt ?? Number.NaN, EXPIRES_AT);
  content.write(json, VALUE_AT);
  return withChecksum(content);
}

/** @throws DamagedStore */
export function decodeHeader(space: string, key: string, stored: Buffer): RecordHeader {
  const content = contentOf(space, key, stored);
  return content[0] === FORMAT ? headerOf(content) : parse(content);
}

/** @throws DamagedStore */
export function decodeRecord<Value>(space: string, key: string, stored: Buffer): StateRecord<Value> {
  const content = contentOf(space, key, stored);
  if (content[0] !== FORMAT) return { key, ...parse<Value>(content) };
  return { key, value: JSON.parse(content.toString("utf8", VALUE_AT)), ...headerOf(content) };
}

function contentOf(space: string, key: string, stored: Buffer): Buffer {
  const content = verifyChecksum(stored);
  if (content !== undefined && (content[0] === FORMAT || content[0] === OPENING_BRACE)) return content;
  throw new DamagedStore("state", `the record ${key} of ${space} is not what was written`);
}

function headerOf(content: Buffer): RecordHeader {
  const expiresAt = content.readDoubleLE(EXPIRES_AT);
  return { version: content.readDoubleLE(VERSION_AT), expiresAt: Number.isNaN(expiresAt) ? null : expiresAt };
}

function parse<Value>(content: Buffer): Omit<StateRecord<Value>, "key"> {
  return JSON.parse(content.toString("utf8"));
}
