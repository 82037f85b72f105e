import { compactReference } from "@travel-booking/domain";
import { revisionSortKey, timeSortKey } from "./sort-keys.ts";

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
