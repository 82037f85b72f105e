import {
  type BookingState,
  compactReference,
  type DocumentContentType,
  type DocumentKind,
} from "@travel-booking/domain";
import { revisionSortKey, timeSortKey } from "./keys.ts";

/** Projection `bookings`: bookings with their payments, what happened to them, and what they looked like when. */
export const BOOKINGS = {
  projection: "bookings",
  /** What the projection folds on; by booking id. Nobody reads it. */
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
  /** The booking right after each event that changed what is shown of it; by `versionKey`. */
  version: {
    model: "bookings.version",
    /** Partition `ownedKey(account, booking)`, sorted by `versionSortKey`. */
    byTime: "byTime",
  },
  /** Money that came by bank transfer, each cent in one row; by the id of the row. */
  transfer: {
    model: "bookings.transfer",
    /** Partition `ALL`, sorted by when the row came to be. */
    newest: "newest",
  },
  /** Which payment a transfer's reference names; by `transferReferenceKey`. */
  transferReference: { model: "bookings.transferReference" },
  /** Documents that are not decided; by document id. */
  document: {
    model: "bookings.document",
    /** Partition `ALL`, in the order they were uploaded. */
    oldest: "oldest",
  },
} as const;

/** Key of what belongs to an account: asked for under another account, it is not there. */
export function ownedKey(accountId: string, id: string): string {
  return `${accountId}/${id}`;
}

/** Key of what is kept per event of a booking. */
export function versionKey(accountId: string, bookingId: string, revision: number): string {
  return `${ownedKey(accountId, bookingId)}/${revisionSortKey(revision)}`;
}

/** By time, then revision. */
export function versionSortKey(at: number, revision: number): string {
  return `${timeSortKey(at)}/${revisionSortKey(revision)}`;
}

/** Key of a transfer's reference, however a person wrote it. */
export function transferReferenceKey(reference: string): string {
  return compactReference(reference);
}

/** The account in what `ownedKey` makes. */
export function ownerOfKey(key: string): string {
  return key.slice(0, key.indexOf("/"));
}

/** The id in what `ownedKey` makes. Ids of accounts have no slash. */
export function idOfOwnedKey(key: string): string {
  return key.slice(key.indexOf("/") + 1);
}

/** State of `bookings.state`: JSON, free keys in lists. */
export interface BookingDocumentState {
  readonly booking: BookingState;
  /** Log position, as text, at which each payment, bank entry, return and document came to be. */
  readonly created: readonly (readonly [id: string, position: string])[];
}

/** State of `bookings.transferReference`: the payment a transfer's reference names. */
export interface TransferTarget {
  readonly accountId: string;
  readonly bookingId: string;
  readonly paymentId: string;
}

/**
 * Money that came by bank transfer, as `transfer list` shows it (docs/rules.md#money-that-arrives). Each cent stands in
 * exactly one row: applied to its payment, or owed back to its sender.
 */
export interface TransferRow {
  /** The bank entry's id where its money is applied, the return's id where it goes back. */
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

/** A document that is not decided, as `document list` shows it: the review queue. */
export interface DocumentRow {
  readonly id: string;
  readonly bookingId: string;
  readonly accountId: string;
  readonly kind: DocumentKind;
  readonly fileName: string;
  readonly contentType: DocumentContentType;
  readonly sizeBytes: number;
  readonly status: "pending";
  /** Who has to look at it next. */
  readonly awaits: "reviewer" | "operator";
  /** ISO 8601, UTC. */
  readonly uploadedAt: string;
}
