import { DamagedStore, verifyChecksum, withChecksum } from "../../lmdb/index.ts";
import type { StateRecord } from "../index.ts";

/** What is told of a record without looking at its value. */
export interface RecordHeader {
  readonly version: number;
  readonly expiresAt: number | null;
}

/** Behind the CRC-32: this byte, the version, the time it expires or NaN, the value as JSON. Numbers as doubles. */
const FORMAT = 1;
const VERSION_AT = 1;
const EXPIRES_AT = 9;
const VALUE_AT = 17;

/** Records used to be JSON as a whole, version and all. */
const OPENING_BRACE = 0x7b;

/** A record without its key, which is the key it is stored under. */
export function encodeRecord(value: unknown, { version, expiresAt }: RecordHeader): Buffer {
  // What has no JSON is null to whoever reads it.
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
  return content[0] === FORMAT ? headOf(content) : parse(content);
}

/** @throws DamagedStore */
export function decodeRecord<Value>(space: string, key: string, stored: Buffer): StateRecord<Value> {
  const content = contentOf(space, key, stored);
  if (content[0] !== FORMAT) return { key, ...parse<Value>(content) };
  return { key, value: JSON.parse(content.toString("utf8", VALUE_AT)), ...headOf(content) };
}

function contentOf(space: string, key: string, stored: Buffer): Buffer {
  const content = verifyChecksum(stored);
  if (content !== undefined && (content[0] === FORMAT || content[0] === OPENING_BRACE)) return content;
  throw new DamagedStore("state", `the record ${key} of ${space} is not what was written`);
}

function headOf(content: Buffer): RecordHeader {
  const expiresAt = content.readDoubleLE(EXPIRES_AT);
  return { version: content.readDoubleLE(VERSION_AT), expiresAt: Number.isNaN(expiresAt) ? null : expiresAt };
}

function parse<Value>(content: Buffer): Omit<StateRecord<Value>, "key"> {
  return JSON.parse(content.toString("utf8"));
}
