import { randomInt } from "node:crypto";
import { EngineUnavailable } from "../unavailable.ts";

/**
 * Records that are state of their own and no read model: idempotency records, the sandbox gateway's ledger, the
 * clock's offset, webhook secrets. No rebuild touches them.
 */
export interface StateRecord<Value> {
  readonly key: string;
  readonly value: Value;
  /** One more with every write of this record; one that is made anew after it was removed begins with another. */
  readonly version: number;
  /** Milliseconds since the epoch by the service's clock, from when the record may be forgotten; null: never. */
  readonly expiresAt: number | null;
}

export interface PutOptions {
  /** Null or absent: kept for ever. */
  readonly expiresAt?: number | null;
}

/** A record that a write answers with may hold the value that was given, and not a copy of it. */
export interface StateStore {
  get<Value>(space: string, key: string): Promise<StateRecord<Value> | undefined>;
  /** Writes a record that is not there yet; answers the one that is, if there is one. Durable when it resolves. */
  create<Value>(
    space: string,
    key: string,
    value: Value,
    options?: PutOptions,
  ): Promise<{ readonly created: boolean; readonly record: StateRecord<Value> }>;
  /**
   * Writes a record under a key that nobody has ever used, as one with a random part: nobody looks whether there is
   * one. Durable when it resolves.
   */
  insertUnchecked<Value>(space: string, key: string, value: Value, options?: PutOptions): Promise<void>;
  /** Writes over whatever is there. Durable when it resolves. */
  put<Value>(space: string, key: string, value: Value, options?: PutOptions): Promise<StateRecord<Value>>;
  /**
   * Writes over the version that was read; undefined, and nothing is written, where it is another one by now.
   * Durable when it resolves.
   */
  replace<Value>(
    space: string,
    key: string,
    expectedVersion: number,
    value: Value,
    options?: PutOptions,
  ): Promise<StateRecord<Value> | undefined>;
  remove(space: string, key: string): Promise<void>;
  /** Removes the version that was read; false, and nothing is removed, where it is another one by now, or gone. */
  removeIfVersion(space: string, key: string, expectedVersion: number): Promise<boolean>;
  /** The records of a space in the order of their keys, behind `after`. */
  list<Value>(
    space: string,
    options: { readonly after?: string; readonly limit: number },
  ): Promise<readonly StateRecord<Value>[]>;
  /** Forgets at most `limit` records whose time has passed; answers how many. */
  removeExpired(now: number, limit: number): Promise<number>;
  close(): Promise<void>;
}

/** The store is closed, or could not be written: what was under way may or may not be stored. */
export class StateStoreUnavailable extends EngineUnavailable {
  override readonly name = "StateStoreUnavailable";
  override readonly engine = "the state store";
}

/** From when on milliseconds are counted: with the random part they stay exact numbers until 2095. */
const SINCE = Date.UTC(2026, 0, 1);
const RANDOM = 4_096;

/**
 * The version a record begins with. Were it always the same, whoever has read a record that is removed and made anew
 * meanwhile would write over the new one, or remove it, as if it were the one that was read.
 */
export function initialVersion(): number {
  return Math.max(0, Date.now() - SINCE) * RANDOM + randomInt(RANDOM) + 1;
}
