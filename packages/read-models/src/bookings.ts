import {
  type BookingState,
  compactReference,
  type DocumentContentType,
  type DocumentKind,
} from "@travel-booking/domain";
import { ownedKey, revisionSortKey, timeSortKey } from "./keys.ts";

/** Projection `bookings`: bookings with their payments, their history and their earlier versions. */
export const BOOKINGS = {
  projection: "bookings",
  /** `BookingDocumentState`, by booking id: the projection folds on it, and fresh bodies are made from it. */
  state: { model: "bookings.state" },
  /** By `ownedKey(account, booking)`. */
  booking: {
    model: "bookings.booking",
    /** One partition per account, sorted by when the booking was created. */
    byAccount: "byAccount",
  },
  /** By `ownedKey(account, payment)`; refunds included. */
  payment: { model: "bookings.payment" },
  /** By `versionKey`. */
  history: {
    model: "bookings.history",
    /** Partition `ownedKey(account, booking)`, sorted by `revisionSortKey`. */
    byBooking: "byBooking",
  },
  /** The public JSON after each event that changed it, by `versionKey`. */
  version: {
    model: "bookings.version",
    /** Partition `ownedKey(account, booking)`, sorted by `versionSortKey`. */
    byTime: "byTime",
  },
  /** `TransferRow`, by its id. */
  transfer: {
    model: "bookings.transfer",
    /** Partition `ALL_PARTITION`, sorted by when the row came to be. */
    newest: "newest",
  },
  /** `TransferTarget`, by `transferReferenceKey`. */
  transferReference: { model: "bookings.transferReference" },
  /** `DocumentRow`, by document id: undecided documents only. */
  document: {
    model: "bookings.document",
    /** Partition `ALL_PARTITION`, in the order they were uploaded. */
    oldest: "oldest",
  },
} as const;

/** Key of what is stored per event of a booking. */
export function versionKey(accountId: string, bookingId: string, revision: number): string {
  return `${ownedKey(accountId, bookingId)}/${revisionSortKey(revision)}`;
}

/** By time, then revision. */
export function versionSortKey(at: number, revision: number): string {
  return `${timeSortKey(at)}/${revisionSortKey(revision)}`;
}

/** The same for all spellings of a reference. */
export function transferReferenceKey(reference: string): string {
  return compactReference(reference);
}

/** Maps are lists of pairs, so that it is JSON. */
export interface BookingDocumentState {
  readonly booking: BookingState;
  /** Log positions, as text, at which payments, bank entries, returns and documents were created. */
  readonly created: readonly (readonly [id: string, position: string])[];
}

/** The payment that the reference of a transfer names. */
export interface TransferTarget {
  readonly accountId: string;
  readonly bookingId: string;
  readonly paymentId: string;
}

/**
 * Money that arrived by bank transfer, as `transfer list` shows it (docs/rules.md#money-that-arrives). Each cent is in
 * exactly one row: applied to its payment, or to be returned to its sender.
 */
export interface TransferRow {
  /** Of the bank entry if its money is applied, of the return if it goes back. */
  readonly id: string;
  readonly reference: string;
  readonly paymentId: string;
  readonly bookingId: string;
  /** Cents. */
  readonly amount: number;
  readonly currency: string;
  /** `partial`: applied to a payment that still waits for the rest. */
  readonly status: "applied" | "partial" | "to_return" | "returned";
  /** ISO 8601, UTC. */
  readonly createdAt: string;
}

/** An undecided document in the review queue, as `document list` shows it. */
export interface DocumentRow {
  readonly id: string;
  readonly bookingId: string;
  readonly accountId: string;
  readonly kind: DocumentKind;
  readonly fileName: string;
  readonly contentType: DocumentContentType;
  readonly sizeBytes: number;
  readonly status: "pending";
  readonly awaits: "reviewer" | "operator";
  /** ISO 8601, UTC. */
  readonly uploadedAt: string;
}
