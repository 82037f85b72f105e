import type { BankEntryEvent, TransferReceived, TransferReversed } from "@travel-booking/domain";
import { invariant } from "./invariant.ts";

interface AuditedEntry {
  readonly amount: number;
  readonly currency: string | null;
  /** Of the booking that it is for; null: it matches nothing. */
  bookingId: string | null;
  counted: boolean;
  /** Its booking counts it no longer, and it is not free yet. */
  letGo?: boolean;
  returned: boolean;
}

/**
 * The bank account: each entry is for one booking, which counts it once, or for none, and then goes back at most once. One that was
 * reversed begins anew.
 */
export class BankAudit {
  readonly #entries = new Map<string, AuditedEntry>();

  apply(entryId: string, event: BankEntryEvent): void {
    const known = this.#entries.get(entryId);
    if (event.type === "BankEntryReversed") {
      invariant(known !== undefined && !known.returned, `entry ${entryId} was reversed, and is not here`);
      invariant(known.bookingId === null || known.letGo === true, `entry ${entryId} was freed, and its booking has it`);
      this.#entries.delete(entryId);
      return;
    }
    invariant(known === undefined || known.bookingId === null, `entry ${entryId} was matched before`);
    invariant(known?.returned !== true, `entry ${entryId} was sent back before`);
    switch (event.type) {
      case "BankEntryUnmatched": {
        const { amount, currency } = event.data;
        const isTold = known?.amount === amount && known.currency === null && currency !== null;
        invariant(known === undefined || isTold, `entry ${entryId} came twice`);
        this.#entries.set(entryId, { amount, currency, bookingId: null, counted: false, returned: false });
        return;
      }
      case "BankEntryMatched": {
        const { amount, currency, bookingId } = event.data;
        invariant((known?.amount ?? amount) === amount, `entry ${entryId} has another amount than it came with`);
        invariant(
          (known?.currency ?? currency) === currency,
          `entry ${entryId} has another currency than it came with`,
        );
        this.#entries.set(entryId, { amount, currency, bookingId, counted: false, returned: false });
        return;
      }
      case "BankEntryReturned":
        invariant(known !== undefined, `entry ${entryId} was sent back, and never came`);
        known.returned = true;
    }
  }

  /** A booking counts it. */
  count(bookingId: string, { entryId, amount, currency }: TransferReceived["data"]): void {
    const entry = this.#entries.get(entryId);
    invariant(entry?.bookingId === bookingId, `entry ${entryId} was counted by ${bookingId}, and is not its own`);
    invariant(entry.amount === amount && entry.currency === currency, `entry ${entryId} was counted as other money`);
    invariant(!entry.counted, `entry ${entryId} was counted twice`);
    entry.counted = true;
  }

  /** A booking counts it no longer. */
  letGo(bookingId: string, { entryId }: TransferReversed["data"]): void {
    const entry = this.#entries.get(entryId);
    invariant(entry?.bookingId === bookingId && entry.counted, `entry ${entryId} was reversed by ${bookingId}`);
    invariant(entry.letGo !== true, `entry ${entryId} was reversed twice`);
    entry.letGo = true;
  }

  checkFinalState(): void {
    for (const [entryId, { bookingId, counted, letGo }] of this.#entries) {
      invariant(letGo !== true, `entry ${entryId} was reversed, and is not free`);
      invariant(counted === (bookingId !== null), `entry ${entryId} is for ${bookingId}, counted: ${counted}`);
    }
  }
}
