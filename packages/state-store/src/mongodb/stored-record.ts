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

export function toRecord<Value>(key: string, { value, version, expiresAt }: StoredRecord): StateRecord<Value> {
  return { key, value: JSON.parse(value) as Value, version, expiresAt };
}
