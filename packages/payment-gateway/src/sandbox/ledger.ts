import { paymentIdOf } from "@travel-booking/domain";
import type { StateStore } from "@travel-booking/engines/state-store";
import type { ChargeOutcome } from "../port.ts";

/** A completed refund; cents. */
interface LedgerRefund {
  readonly refundId: string;
  readonly amount: number;
}

/** A charge that succeeded or failed. */
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

/** A payment id that was barred before any charge. No charge can ever succeed. */
interface BarredEntry {
  readonly kind: "barred";
  readonly paymentId: string;
}

/** The record of one payment id; the ledger never removes it. */
export type LedgerEntry = ChargedEntry | BarredEntry;

/** Cents refunded so far. */
export function refundedAmount(entry: ChargedEntry): number {
  return entry.refunds.reduce((sum, refund) => sum + refund.amount, 0);
}

const SPACE = "sandbox-gateway-ledger";
const PAGE = 500;

interface VersionedEntry {
  readonly entry: LedgerEntry;
  readonly version: number;
}

/**
 * The sandbox gateway's ledger: one entry per payment id. The service never decides by it, because a real gateway keeps
 * its ledger elsewhere.
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

  /** Creates the entry of an id, or returns the existing one. Of concurrent calls, only one creates it. */
  async createEntry(entry: LedgerEntry): Promise<{ readonly created: boolean; readonly entry: LedgerEntry }> {
    const { created, record } = await this.#store.create(SPACE, entry.paymentId, entry);
    return { created, entry: record.value };
  }

  /** Replaces the version that the caller read; false if the entry has changed since. */
  async updateEntry(entry: LedgerEntry, version: number): Promise<boolean> {
    return (await this.#store.replace(SPACE, entry.paymentId, version, entry)) !== undefined;
  }

  /** The next entries after this payment id, by id; empty at the end. */
  async page(after: string): Promise<readonly LedgerEntry[]> {
    return (await this.#store.list<LedgerEntry>(SPACE, { after, limit: PAGE })).map(({ value }) => value);
  }

  /** All entries whose payment id has the prefix, by id. */
  async *entries(prefix = ""): AsyncGenerator<LedgerEntry> {
    let after = prefix;
    for (;;) {
      const page = await this.page(after);
      for (const entry of page) {
        if (!entry.paymentId.startsWith(prefix)) return;
        yield entry;
        after = entry.paymentId;
      }
      if (page.length < PAGE) return;
    }
  }

  /** Successful charges of a booking. The id of each payment begins with its booking's digits. */
  async chargesOf(bookingId: string): Promise<readonly ChargedEntry[]> {
    const charges: ChargedEntry[] = [];
    for await (const entry of this.entries(paymentIdOf(bookingId, ""))) {
      if (entry.kind === "charged" && entry.outcome.status === "succeeded") charges.push(entry);
    }
    return charges;
  }
}
