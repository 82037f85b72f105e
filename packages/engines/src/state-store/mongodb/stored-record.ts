import { encodeText } from "../../mongodb/index.ts";
import { initialVersion } from "../initial-version.ts";
import type { PutOptions, StateRecord } from "../port.ts";

export interface StoredContent {
  /** JSON: values may have any keys, and come back as they were. */
  readonly value: string;
  readonly expiresAt: number | null;
}

export interface StoredRecord extends StoredContent {
  readonly _id: string;
  readonly version: number;
}

export function contentOf(value: unknown, options: PutOptions | undefined): StoredContent {
  return { value: JSON.stringify(value), expiresAt: options?.expiresAt ?? null };
}

/** As it is stored where there is none yet. */
export function newRecord(key: string, value: unknown, options: PutOptions | undefined): StoredRecord {
  return { _id: encodeText(key), version: initialVersion(), ...contentOf(value, options) };
}

export function toRecord<Value>(key: string, { value, version, expiresAt }: StoredRecord): StateRecord<Value> {
  return { key, value: JSON.parse(value) as Value, version, expiresAt };
}
