import type { DisruptionBody } from "@travel-booking/api-contract";
import {
  canonicalEmail,
  type DocumentContentType,
  type DocumentKind,
  type DocumentStatus,
  type Instant,
  type ReadZone,
  type ReturnCause,
} from "@travel-booking/domain";
import { revisionSortKey } from "./keys.ts";

/** Projection `bookings`: bookings with all that happened to them, and public events (`EVENTS`). */
export const BOOKINGS = {
  projection: "bookings",
  version: 20,
  /** Body: the account and the public JSON (`jsonOwnedBy`). State: `StoredSegment`, the open one. By booking id. */
  booking: {
    model: "bookings.booking",
    /** One partition per account, sorted by when the booking was created. */
    byAccount: "byAccount",
  },
  /** `BookingClues`, by booking id: what bookings are looked through for, small beside them. */
  clues: {
    model: "bookings.clues",
    /** As `booking.byAccount`, with the same places. */
    byAccount: "byAccount",
  },
  /** A payment's place in lists: no body, by payment id. */
  payment: {
    model: "bookings.payment",
    /** One partition per account, by `timeSortKey` of when it was started and the id. */
    byAccount: "byAccount",
  },
  /** The same of a refund, by refund id, when that was started. */
  refundPlace: {
    model: "bookings.refundPlace",
    /** As `payment.byAccount`. */
    byAccount: "byAccount",
  },
  /** Body: `StoredCase`. By the case's id. */
  disruption: {
    model: "bookings.disruption",
    /** One partition per account, by `timeSortKey` of when it was opened and the id. */
    byAccount: "byAccount",
  },
  /** Which cases a disruption has opened or revised: body is the case's id, by both ids. */
  caseOfDisruption: {
    model: "bookings.caseOfDisruption",
    /** One partition per disruption, by `timeSortKey` of when the case was opened and its id. */
    byDisruption: "byDisruption",
  },
  /** No body, by booking id: it is flown or cancelled, and its people are not erased. */
  over: {
    model: "bookings.over",
    /** Partition `ALL_PARTITION`, by `timeSortKey` of when that was and the id. */
    oldest: "oldest",
  },
  /** The same, of those whose documents are not erased: it has some. */
  overDocuments: {
    model: "bookings.overDocuments",
    /** As `over.oldest`; from the last upload on, if that was later. */
    oldest: "oldest",
  },
  /** The closed segments of long lives: body `StoredSegment`, by `segmentKey`. Each never changes. */
  segment: {
    model: "bookings.segment",
    /** All have the booking id as their partition, and sort by the first event: by `revisionSortKey`, */
    byRevision: "byRevision",
    /** by `timeSortKey` of time and `revisionSortKey`, */
    byTime: "byTime",
    /** by `positionSort`. */
    byPosition: "byPosition",
  },
  /** `TransferRow`, by its id. */
  transfer: {
    model: "bookings.transfer",
    /** Partition `ALL_PARTITION`, by when the money arrived or its return became due, then id. */
    newest: "newest",
  },
  /** `ExpectedTransferRow`, by payment id: those that wait for money only. */
  expectedTransfer: {
    model: "bookings.expectedTransfer",
    /** Partition `ALL_PARTITION`, by when the payment was started, then id. */
    oldest: "oldest",
  },
  /** `RefundRow`, by refund id: those that have not arrived only. */
  refund: {
    model: "bookings.refund",
    /** Partition `ALL_PARTITION`, by when it was started, then id. */
    oldest: "oldest",
  },
  /** `DisputeRow`, by the gateway's id. */
  dispute: {
    model: "bookings.dispute",
    /** Partition `ALL_PARTITION`, by its last change, then id. */
    oldest: "oldest",
  },
  /** `TransferTarget`, by the reference of the transfer. */
  transferReference: { model: "bookings.transferReference" },
  /** `DocumentRow`, by document id: undecided documents only. */
  document: {
    model: "bookings.document",
    /** Partition `ALL_PARTITION`, by when it was uploaded, then id. */
    oldest: "oldest",
  },
  /** `RejectedDocumentRow`, by document id. */
  rejectedDocument: {
    model: "bookings.rejectedDocument",
    /** As `document.oldest`. */
    oldest: "oldest",
  },
  /** For quotas: its state is `DocumentUsage`, by account id, from the first upload on. */
  documentUsage: { model: "bookings.documentUsage" },
  /** For the projection alone: its state is the endpoints of an account that get `booking.created`, by account id. */
  creationSubscribers: { model: "bookings.creationSubscribers" },
} as const;

/** The uploaded files of one account together. */
export interface DocumentUsage {
  readonly documents: number;
  readonly bytes: number;
}

/** The key of the segment that begins with this revision. */
export function segmentKey(bookingId: string, revision: number): string {
  return `${bookingId}/${revisionSortKey(revision)}`;
}

/** Where the account begins in such a text, behind bracket and quotation mark. */
const OWNER = 2;

/**
 * The second of a list of an account's id and something that belongs to it, as JSON; undefined: it belongs to another. The key of
 * such a document has no account, because most events of a booking do not name it; the id has nothing that JSON escapes.
 */
export function jsonOwnedBy(accountId: string, owned: string): string | undefined {
  const end = OWNER + accountId.length;
  return owned.startsWith(accountId, OWNER) && owned[end] === '"' ? owned.slice(end + 2, -1) : undefined;
}

/** What of a booking hardly ever changes, and the names (`SubjectKeys.wordKey`) of its words, none once it is erased. */
export type BookingClues = readonly [
  flightId: string,
  departsAt: Instant,
  createdAt: Instant,
  ...names: readonly string[],
];

/** What an account finds a booking by, told apart. */
export const BOOKING_WORD = {
  reference: (reference: string) => `reference ${reference}`,
  email: (email: string) => `email ${canonicalEmail(email)}`,
} as const;

/** A case of an account's booking as clients see it, and the currency of its amounts. */
export type StoredCase = readonly [accountId: string, currency: string, shown: DisruptionBody];

/** The payment that the reference of a transfer names. */
export interface TransferTarget {
  readonly accountId: string;
  readonly bookingId: string;
  readonly paymentId: string;
}

/** Money of a booking, as operators see it. */
interface MoneyRow {
  readonly id: string;
  readonly bookingId: string;
  readonly accountId: string;
  /** Cents. */
  readonly amount: number;
  readonly currency: string;
}

/**
 * Money that arrived by bank transfer, as `transfer list` shows it (docs/rules.md#money-that-arrives). Each cent is in
 * exactly one row: applied to its payment, to be returned to its sender, or unmatched. The id is that of the bank entry if its
 * money is applied, matches nothing or is reversed, of the return if it goes back.
 */
export interface TransferRow extends Omit<MoneyRow, "bookingId" | "accountId" | "currency"> {
  /** These three are null for money that matches nothing. */
  readonly bookingId: string | null;
  readonly accountId: string | null;
  readonly paymentId: string | null;
  /** Null: nobody has told it. */
  readonly currency: string | null;
  /** Of money that matches nothing what the payer wrote, which is not in the read model; null where that is forgotten. */
  readonly reference: string | null;
  /** `partial`: applied to a payment that still waits for the rest. */
  readonly status: "applied" | "partial" | "to_return" | "returned" | "unmatched" | "reversed";
  /** Why an operator reversed it; absent unless reversed, null where that is forgotten. */
  readonly reason?: string | null;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
}

/** What it would do to enter money that arrived, as `transfer preview` shows it. */
export interface TransferPreview {
  /** How many bank transfers the text names. All but `amount`, `currency` and `receivedBefore` are of the one. */
  readonly names: number;
  readonly bookingId: string | null;
  readonly reference: string | null;
  /** In the smallest unit of the currency. */
  readonly amount: number;
  /** Null: nobody has told it. */
  readonly currency: string | null;
  /** The same entry has counted already. */
  readonly receivedBefore: boolean;
  /** What is to be paid; null unless one transfer is named. */
  readonly total: number | null;
  /** What of that has arrived before. */
  readonly arrived: number;
  readonly applied: number;
  readonly stillToCome: number;
  readonly toReturn: number;
  /** Why something is to be returned. */
  readonly cause: ReturnCause | null;
}

/** A payment that waits for money by bank transfer, as `transfer expected` shows it: `amount` is what is still to come. */
export interface ExpectedTransferRow extends MoneyRow {
  readonly reference: string;
  /** ISO 8601, UTC: of the payment. */
  readonly createdAt: string;
}

/** A refund that has not arrived, as `refund list` shows it (docs/rules.md#refund-settlement). */
export interface RefundRow extends MoneyRow {
  readonly paymentId: string;
  /** `failed`: an operator has it sent again, or settles it. */
  readonly status: "pending" | "failed";
  /** The gateway's; null unless failed. */
  readonly failureReason: string | null;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
}

/** A charge that its card holder disputes, as `dispute list` shows it (docs/rules.md#disputes). */
export interface DisputeRow extends MoneyRow {
  readonly paymentId: string;
  /** The gateway's codes. */
  readonly reason: string;
  readonly status: string;
  /** ISO 8601, UTC: of the last change. */
  readonly changedAt: string;
}

/** A document with what an operator needs to decide about it, as `document show` shows it. */
export interface DocumentAnswer extends UploadRow {
  readonly status: DocumentStatus;
  readonly awaits: DocumentRow["awaits"] | null;
  /** Null unless rejected. */
  readonly rejectionReason: string | null;
  /** Who has decided it last, and when; null: nobody. */
  readonly decided: { readonly by: { readonly kind: string; readonly id: string }; readonly at: string } | null;
  /** The names of whose it is, once verified. */
  readonly holders: readonly string[];
  /** Null: nothing. */
  readonly read: ReadZone | null;
  /** The names on the booking. */
  readonly passengers: readonly string[];
  /** ISO 8601, UTC. */
  readonly departsAt: string;
  /** `YYYY-MM-DD` (docs/rules.md#passport-validity). */
  readonly mustBeValidUntil: string;
}

/** What is kept for a time: bookings that are over, their documents, saved passengers. */
export type KeptKind = "bookings" | "documents" | "passengers";

/** Personal data of a kind that is held, and what of it is due, as `privacy report` lists it. Times in ISO 8601, UTC. */
export interface KeptRow {
  readonly kind: KeptKind;
  /** How many are held, 100,000 at most, and since when the first of them is over or was not used. */
  readonly held: number;
  readonly oldest: string | null;
  /** Days; null: they are kept until somebody erases them. */
  readonly keptForDays: number | null;
  /** Nothing is erased before; null: nothing is ever. */
  readonly from: string | null;
  /** Those that are erased next, 100 at most. `waits`: money or a disruption of its booking is under way. */
  readonly next: readonly {
    readonly id: string;
    readonly since: string;
    readonly due: string;
    readonly waits: boolean;
  }[];
}

interface UploadRow {
  readonly id: string;
  readonly bookingId: string;
  readonly accountId: string;
  readonly kind: DocumentKind;
  readonly fileName: string;
  readonly contentType: DocumentContentType;
  readonly sizeBytes: number;
  /** ISO 8601, UTC. */
  readonly uploadedAt: string;
}

/** An undecided document in the review queue, as `document list` shows it. */
export interface DocumentRow extends UploadRow {
  readonly status: "pending";
  readonly awaits: "reviewer" | "operator";
}

/** One that was rejected, which may have been wrong, as `document list --rejected` shows it. */
export interface RejectedDocumentRow extends UploadRow {
  readonly status: "rejected";
  readonly rejectionReason: string;
}
