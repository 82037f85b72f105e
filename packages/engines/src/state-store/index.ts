import { randomInt } from "node:crypto";
import { EngineUnavailable } from "../unavailable.ts";

/**
 * Records that are neither events nor read models: idempotency records, the ledger of the sandbox gateway, the offset
 * of the clock, webhook secrets. No rebuild touches them.
 */
export interface StateRecord<Value> {
  readonly key: string;
  readonly value: Value;
  /** Increases with every write. A record that is created again after its removal starts with another version. */
  readonly version: number;
  /** When the record may be removed: milliseconds since the epoch by the service's clock; null: never. */
  readonly expiresAt: number | null;
}

export interface PutOptions {
  /** Null or absent: never. */
  readonly expiresAt?: number | null;
}

export interface CreateOptions extends PutOptions {
  /** False: a store that `sharesLog` resolves before the new record is durable; nothing written later is durable without it. */
  readonly awaitFlush?: boolean;
}

/** The record that a write returns may hold the given value itself, not a copy. */
export interface StateStore {
  /**
   * True: the writes of this store and the appends to this process's event log become durable in the order of the calls,
   * so whoever waits for one has waited for all before it. Absent: false.
   */
  readonly sharesLog?: boolean;

  get<Value>(space: string, key: string): Promise<StateRecord<Value> | undefined>;
  /** Writes a record unless it exists; returns the existing one then. Durable when it resolves. */
  create<Value>(
    space: string,
    key: string,
    value: Value,
    options?: CreateOptions,
  ): Promise<{ readonly created: boolean; readonly record: StateRecord<Value> }>;
  /** Creates or replaces. Durable when it resolves. */
  put<Value>(space: string, key: string, value: Value, options?: PutOptions): Promise<StateRecord<Value>>;
  /**
   * Replaces the given version; undefined, and nothing is written, if the record has another one. Durable when it
   * resolves.
   */
  replace<Value>(
    space: string,
    key: string,
    expectedVersion: number,
    value: Value,
    options?: PutOptions,
  ): Promise<StateRecord<Value> | undefined>;
  remove(space: string, key: string): Promise<void>;
  /** Removes the given version; false, and nothing is removed, if the record has another one or is gone. */
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

/** Milliseconds are counted from here: with the random part they stay exact numbers until 2095. */
const SINCE = Date.UTC(2026, 0, 1);
const RANDOM = 4_096;

/**
 * The version of a new record. A constant would let a caller that has read a record, removed and created again
 * meanwhile, replace or remove the new one as if it were the old one.
 */
export function initialVersion(): number {
  return Math.max(0, Date.now() - SINCE) * RANDOM + randomInt(RANDOM) + 1;
}
