import { randomInt } from "node:crypto";
import { EngineUnavailable } from "../unavailable.ts";

/**
 * Records that are neither events nor read models: idempotency records, the ledger of the sandbox gateway, the offset
 * of the clock, webhook secrets. No rebuild touches them.
 */
export interface StateRecord<Value> {
  readonly key: string;
  readonly value: Value;
  /** Increases with every write. A record created again after its removal starts with a different version. */
  readonly version: number;
  /** When the record may be removed, in milliseconds since the epoch by the service's clock; null: never. */
  readonly expiresAt: number | null;
}

export interface PutOptions {
  /** Null or absent: never. */
  readonly expiresAt?: number | null;
}

export interface CreateOptions extends PutOptions {
  /** False: a store that `sharesLog` resolves before the record is durable. No later write is durable without it. */
  readonly awaitFlush?: boolean;
}

/** The record that a write returns may hold the given value itself, not a copy. */
export interface StateStore {
  /**
   * True if the writes of this store and the appends to this process's event log become durable in the order of the
   * calls. Then waiting for one is waiting for all before it. Absent: false.
   */
  readonly sharesLog?: boolean;

  get<Value>(space: string, key: string): Promise<StateRecord<Value> | undefined>;
  /** Writes a record unless it exists, and else returns the existing one. Durable when it resolves. */
  create<Value>(
    space: string,
    key: string,
    value: Value,
    options?: CreateOptions,
  ): Promise<{ readonly created: boolean; readonly record: StateRecord<Value> }>;
  /** Creates or replaces. Durable when it resolves. */
  put<Value>(space: string, key: string, value: Value, options?: PutOptions): Promise<StateRecord<Value>>;
  /**
   * Replaces the given version. If the record has another version, returns undefined and writes nothing. Durable when
   * it resolves.
   */
  replace<Value>(
    space: string,
    key: string,
    expectedVersion: number,
    value: Value,
    options?: PutOptions,
  ): Promise<StateRecord<Value> | undefined>;
  remove(space: string, key: string): Promise<void>;
  /** Removes the given version. If the record has another version or is gone, returns false and removes nothing. */
  removeIfVersion(space: string, key: string, expectedVersion: number): Promise<boolean>;
  /** The records of a space in the order of their keys, after `after`. */
  list<Value>(
    space: string,
    options: { readonly after?: string; readonly limit: number },
  ): Promise<readonly StateRecord<Value>[]>;
  /** Removes at most `limit` expired records; returns how many. */
  removeExpired(now: number, limit: number): Promise<number>;
  close(): Promise<void>;
}

/** The store is closed or out of reach; a write may have been stored. */
export class StateStoreUnavailable extends EngineUnavailable {
  override readonly name = "StateStoreUnavailable";
  override readonly engine = "the state store";
}

/** Milliseconds are counted from here. Together with the random part they stay exact numbers until 2095. */
const SINCE = Date.UTC(2026, 0, 1);
const RANDOM = 4_096;

/**
 * The version of a new record. It is not a constant, because a record may be removed and created again. A caller that
 * read the old record could then replace or remove the new one by mistake.
 */
export function initialVersion(): number {
  return Math.max(0, Date.now() - SINCE) * RANDOM + randomInt(RANDOM) + 1;
}
