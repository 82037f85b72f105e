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

/** `reversals`: how often the entry was reversed before it was matched; absent: never. */
export type MatchedEntry = BankEntry & TransferMatch & { readonly reversals?: number };

/**
 * The payer's reference names no transfer. The reference itself is in no event, because people write names there.
 * Recorded again if the currency is entered later.
 */
export type BankEntryUnmatched = DomainEvent<"BankEntryUnmatched", BankEntry>;
export type BankEntryMatched = DomainEvent<"BankEntryMatched", MatchedEntry>;
/** Money that matched nothing was sent back. */
export type BankEntryReturned = DomainEvent<"BankEntryReturned", { readonly entryId: string }>;
/**
 * An operator has taken the entry back: it never came, or not like this. The booking that counted it has let go of it.
 * The entry may be recorded anew.
 */
export type BankEntryReversed = DomainEvent<"BankEntryReversed", { readonly entryId: string }>;
export type BankEntryEvent = BankEntryUnmatched | BankEntryMatched | BankEntryReturned | BankEntryReversed;

/**
 * Sent by an operator. `match` is null if the reference names no transfer. `isNew`: the operator has not told the bank's
 * id, so that nobody knows whether the same sum once more is the same entry.
 */
export type RecordBankEntry = Command<
  "RecordBankEntry",
  { readonly entry: BankEntry; readonly match: TransferMatch | null; readonly isNew?: boolean }
>;

/** Sent by an operator. */
export type MarkEntryReturned = Command<"MarkEntryReturned", BankEntryReturned["data"]>;

/** `letGo`: of a matched entry, the booking that counts it no longer, and how often it has now been reversed. */
export type ReverseEntry = Command<
  "ReverseEntry",
  { readonly entryId: string; readonly letGo: { readonly bookingId: string; readonly reversals: number } | null }
>;

type BankEntryCommand = RecordBankEntry | MarkEntryReturned | ReverseEntry;

/** `reversals`: how often the entry was reversed. */
export type BankEntryState = { readonly reversals: number } & (
  | { readonly status: "unknown" }
  | { readonly status: "returned" }
  | { readonly status: "reversed" }
  | { readonly status: "unmatched"; readonly entry: BankEntry }
  | { readonly status: "matched"; readonly entry: MatchedEntry }
);

export type BankEntryRejectionCode =
  | "entry_not_found"
  /** The same sum has come before, and the bank's id is not told. */
  | "entry_known"
  /** The entry was recorded with another amount, currency or reference. */
  | "entry_differs"
  | "entry_matched"
  | "entry_returned";

type BankEntryDecision = Decision<BankEntryEvent, BankEntryRejectionCode>;

const HANDLERS: Handlers<BankEntryCommand, [state: BankEntryState, at: Instant], BankEntryDecision> = {
  RecordBankEntry({ entry, match, isNew = false }, state, at) {
    if (isNew && state.status !== "unknown" && state.status !== "reversed") return reject("entry_known");
    if (state.status === "returned") return reject("entry_returned");
    const known = "entry" in state ? state.entry : entry;
    if (isOtherMoney(entry, known)) return reject("entry_differs");
    if (state.status === "matched") {
      return match?.reference === state.entry.reference ? accept() : reject("entry_differs");
    }
    const currency = entry.currency ?? known.currency;
    if (match !== null) {
      const { reversals } = state;
      const counted = { ...entry, ...match, currency: currency ?? match.currency, ...(reversals > 0 && { reversals }) };
      return accept({ type: "BankEntryMatched", at, data: counted });
    }
    if (state.status === "unmatched" && currency === known.currency) return accept();
    return accept({ type: "BankEntryUnmatched", at, data: { ...entry, currency } });
  },

  MarkEntryReturned({ entryId }, state, at) {
    switch (state.status) {
      case "unknown":
      case "reversed":
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

  ReverseEntry({ entryId, letGo }, state, at) {
    // A task that runs once more must not free what was recorded anew since.
    if (letGo !== null && letGo.reversals <= state.reversals) return accept();
    switch (state.status) {
      case "unknown":
        // Former releases gave the entry no stream. Only its booking knows it.
        if (letGo === null) return reject("entry_not_found");
        break;
      case "unmatched":
        break;
      case "matched":
        if (letGo?.bookingId !== state.entry.bookingId) return reject("entry_matched");
        break;
      case "returned":
        return reject("entry_returned");
      case "reversed":
        return accept();
      default:
        return assertNever(state);
    }
    return accept({ type: "BankEntryReversed", at, data: { entryId } });
  },
};

/**
 * The fate of one entry of the bank account: it belongs to one transfer, or to none and is sent back, or was a mistake.
 * The same entry again changes nothing.
 */
export const bankEntryDecider: Decider<BankEntryCommand, BankEntryState, BankEntryEvent, BankEntryRejectionCode> = {
  initialState: () => ({ status: "unknown", reversals: 0 }),
  decide: (command, state, at) => handle(HANDLERS, command, state, at),
  evolve({ reversals }, event) {
    switch (event.type) {
      case "BankEntryUnmatched":
        return { status: "unmatched", entry: event.data, reversals };
      case "BankEntryMatched":
        return { status: "matched", entry: event.data, reversals };
      case "BankEntryReturned":
        return { status: "returned", reversals };
      case "BankEntryReversed":
        return { status: "reversed", reversals: reversals + 1 };
      default:
        return assertNever(event);
    }
  },
};

/** The id of an entry whose id at the bank is not told: the same sum for the same transfer has the same. */
export function entryIdOf({ reference }: Pick<TransferMatch, "reference">, amount: number, currency: string): string {
  return `${reference}-${amount}-${currency}`;
}

/** Whether two records can't be the same entry. A currency that was not entered rules nothing out. */
function isOtherMoney(one: BankEntry, other: BankEntry): boolean {
  if (one.amount !== other.amount) return true;
  return one.currency !== null && other.currency !== null && one.currency !== other.currency;
}
