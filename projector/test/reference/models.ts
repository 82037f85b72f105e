import type { BookingState, PublicEventType } from "@travel-booking/domain";
import { ownedKey, revisionSortKey, timeSortKey } from "@travel-booking/read-models";
import type { DocumentPut } from "../../src/projection.ts";

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
  /** `TransferTarget`, by the reference of the transfer. */
  transferReference: { model: "bookings.transferReference" },
  /** `DocumentRow`, by document id: undecided documents only. */
  document: {
    model: "bookings.document",
    /** Partition `ALL_PARTITION`, in the order they were uploaded. */
    oldest: "oldest",
  },
} as const;

export function wholeDocument(model: string, document: Omit<DocumentPut, "kind" | "model">): DocumentPut {
  return { kind: "put", model, ...document };
}

/** Key of what is stored per event of a booking. */
export function versionKey(accountId: string, bookingId: string, revision: number): string {
  return `${ownedKey(accountId, bookingId)}/${revisionSortKey(revision)}`;
}

/** By time, then revision. */
export function versionSortKey(at: number, revision: number): string {
  return `${timeSortKey(at)}/${revisionSortKey(revision)}`;
}

/** Maps are lists of pairs, so that it is JSON. */
export interface BookingDocumentState {
  readonly booking: BookingState;
  /** Log positions, as text, at which the booking, its payments, bank entries, returns and documents were created. */
  readonly created: readonly (readonly [id: string, position: string])[];
}

export const EVENTS = {
  event: {
    model: "bookings.event",
    all: "all",
    byAccount: "byAccount",
    byAccountAndType: "byAccountAndType",
    byBooking: "byBooking",
  },
} as const;

export interface EventDocumentState {
  readonly accountId: string;
  readonly bookingId: string;
  readonly type: PublicEventType;
}
