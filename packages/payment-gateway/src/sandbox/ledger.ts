import { paymentIdOf } from "@travel-booking/domain";
import type { StateStore } from "@travel-booking/engines/state-store";
import type { ChargeOutcome } from "../port.ts";

/** A refund the gateway has made; cents. */
interface LedgerRefund {
  readonly refundId: string;
  readonly amount: number;
}

/** Money asked for under a payment id: taken, or refused. */
export interface ChargedEntry {
  readonly kind: "charged";
  readonly paymentId: string;
  /** Cents. */
  readonly amount: number;
  readonly currency: string;
  readonly outcome: ChargeOutcome;
  /** Oldest first. */
  readonly refunds: readonly LedgerRefund[];
}

/** An id that was closed before it was ever charged, and never will be. */
interface BarredEntry {
  readonly kind: "barred";
  readonly paymentId: string;
}

/** What the gateway knows of one payment id, for ever. */
export type LedgerEntry = ChargedEntry | BarredEntry;

/** Cents given back so far. */
export function refundedAmount(entry: ChargedEntry): number {
  return entry.refunds.reduce((sum, refund) => sum + refund.amount, 0);
}

const SPACE = "sandbox-gateway-ledger";
const PAGE = 500;

/** The entry as it is, and the number of its version. */
interface VersionedEntry {
  readonly entry: LedgerEntry;
  readonly version: number;
}

/**
 * The sandbox gateway's own books: one entry per payment id, kept for ever. The service never reads them to decide
 * anything; a real gateway would have them elsewhere.
 */
export class SandboxLedger {
  readonly #store: StateStore;

  constructor(store: StateStore) {
    this.#store = store;
  }

  async findEntry(paymentId: string): Promise<VersionedEntry | undefined> {
    const record = await this.#store.get<LedgerEntry>(SPACE, paymentId);
    return record && { entry: record.value, version: record.version };
  }

  /** Enters the first entry of an id; where there is one already that one stands. Of any number at once, one is entered. */
  async createEntry(entry: LedgerEntry): Promise<{ readonly opened: boolean; readonly entry: LedgerEntry }> {
    const { created, record } = await this.#store.create(SPACE, entry.paymentId, entry);
    return { opened: created, entry: record.value };
  }

  /** Writes over the version that was read; false where it has moved on. */
  async updateEntry(entry: LedgerEntry, version: number): Promise<boolean> {
    return (await this.#store.replace(SPACE, entry.paymentId, version, entry)) !== undefined;
  }

  /** Every entry whose payment id begins so, in the order of the ids. */
  async *entries(prefix = ""): AsyncGenerator<LedgerEntry> {
    let after = prefix;
    for (;;) {
      const records = await this.#store.list<LedgerEntry>(SPACE, { after, limit: PAGE });
      for (const { key, value } of records) {
        if (!key.startsWith(prefix)) return;
        yield value;
        after = key;
      }
      if (records.length < PAGE) return;
    }
  }

  /** Charges that took money for a booking: every payment's id begins with its booking's digits. */
  async chargesOf(bookingId: string): Promise<readonly ChargedEntry[]> {
    const charges: ChargedEntry[] = [];
    for await (const entry of this.entries(paymentIdOf(bookingId, ""))) {
      if (entry.kind === "charged" && entry.outcome.status === "succeeded") charges.push(entry);
    }
    return charges;
  }
}
