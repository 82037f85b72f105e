import {
  accept,
  assertNever,
  type Command,
  type Decider,
  type Decision,
  type DomainEvent,
  type Handlers,
  handle,
  type Instant,
  reject,
} from "./shared/decision.ts";

/** Money that came in on the bank account. */
export interface BankEntry {
  /** The bank's id. */
  readonly entryId: string;
  /** In the smallest unit of its currency. */
  readonly amount: number;
  /** Null if it was not entered. */
  readonly currency: string | null;
}

/** The bank transfer that the reference of an entry names. */
export interface TransferMatch {
  readonly accountId: string;
  readonly bookingId: string;
  readonly paymentId: string;
  readonly reference: string;
  /** The payment's currency. An entry without a currency counts as having this one. */
  readonly currency: string;
}

export type MatchedEntry = BankEntry & TransferMatch;

/**
 * The payer's reference names no transfer. The reference itself is in no event, because people write names there.
 * Recorded again if the currency is entered later.
 */
export type BankEntryUnmatched = DomainEvent<"BankEntryUnmatched", BankEntry>;
export type BankEntryMatched = DomainEvent<"BankEntryMatched", MatchedEntry>;
/** Money that matched nothing was sent back. */
export type BankEntryReturned = DomainEvent<"BankEntryReturned", { readonly entryId: string }>;
export type BankEntryEvent = BankEntryUnmatched | BankEntryMatched | BankEntryReturned;

/** Sent by an operator. `match` is null if the reference names no transfer. */
export type RecordBankEntry = Command<
  "RecordBankEntry",
  { readonly entry: BankEntry; readonly match: TransferMatch | null }
>;

/** Sent by an operator. */
export type MarkEntryReturned = Command<"MarkEntryReturned", BankEntryReturned["data"]>;

type BankEntryCommand = RecordBankEntry | MarkEntryReturned;

export type BankEntryState =
  | { readonly status: "unknown" }
  | { readonly status: "returned" }
  | { readonly status: "unmatched"; readonly entry: BankEntry }
  | { readonly status: "matched"; readonly entry: MatchedEntry };

export type BankEntryRejectionCode =
  | "entry_not_found"
  /** The entry was recorded with another amount, currency or reference. */
  | "entry_differs"
  | "entry_matched"
  | "entry_returned";

type BankEntryDecision = Decision<BankEntryEvent, BankEntryRejectionCode>;

const HANDLERS: Handlers<BankEntryCommand, [state: BankEntryState, at: Instant], BankEntryDecision> = {
  RecordBankEntry({ entry, match }, state, at) {
    if (state.status === "returned") return reject("entry_returned");
    const known = state.status === "unknown" ? entry : state.entry;
    if (isOtherMoney(entry, known)) return reject("entry_differs");
    if (state.status === "matched") {
      return match?.reference === state.entry.reference ? accept() : reject("entry_differs");
    }
    const currency = entry.currency ?? known.currency;
    if (match !== null) {
      const counted = { ...entry, ...match, currency: currency ?? match.currency };
      return accept({ type: "BankEntryMatched", at, data: counted });
    }
    if (state.status === "unmatched" && currency === known.currency) return accept();
    return accept({ type: "BankEntryUnmatched", at, data: { ...entry, currency } });
  },

  MarkEntryReturned({ entryId }, state, at) {
    switch (state.status) {
      case "unknown":
        return reject("entry_not_found");
      case "unmatched":
        return accept({ type: "BankEntryReturned", at, data: { entryId } });
      case "matched":
        return reject("entry_matched");
      case "returned":
        return accept();
      default:
        return assertNever(state);
    }
  },
};

/**
 * The fate of one entry of the bank account: it belongs to one transfer, or to none and is sent back. The same entry
 * again changes nothing.
 */
export const bankEntryDecider: Decider<BankEntryCommand, BankEntryState, BankEntryEvent, BankEntryRejectionCode> = {
  initialState: () => ({ status: "unknown" }),
  decide: (command, state, at) => handle(HANDLERS, command, state, at),
  evolve(_, event) {
    switch (event.type) {
      case "BankEntryUnmatched":
        return { status: "unmatched", entry: event.data };
      case "BankEntryMatched":
        return { status: "matched", entry: event.data };
      case "BankEntryReturned":
        return { status: "returned" };
      default:
        return assertNever(event);
    }
  },
};

/** Whether two records can't be the same entry. A currency that was not entered rules nothing out. */
function isOtherMoney(one: BankEntry, other: BankEntry): boolean {
  if (one.amount !== other.amount) return true;
  return one.currency !== null && other.currency !== null && one.currency !== other.currency;
}
