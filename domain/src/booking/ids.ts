/**
 * The ids of what belongs to a booking carry its 32 hexadecimal digits, so their stream is found without a look-up:
 * `bkg_<32 hex>`, `pay_<same 32><12 hex>`, `rfd_<same 32><12 hex>`, `doc_<same 32><12 hex>`, `dcs_<same 32><12 hex>`,
 * `ret_<same 32>_<entry id>`.
 */
const PREFIX_LENGTH = "bkg_".length;
const BOOKING_DIGITS = 32;
const OWN_DIGITS = 12;

/** These functions find the booking of an id; undefined for any other text. */
export function bookingIdOfPayment(paymentId: string): string | undefined {
  return bookingIdIn(paymentId, /^pay_[0-9a-f]{44}$/);
}

export function bookingIdOfRefund(refundId: string): string | undefined {
  return bookingIdIn(refundId, /^rfd_[0-9a-f]{44}$/);
}

export function bookingIdOfReturn(returnId: string): string | undefined {
  return bookingIdIn(returnId, /^ret_[0-9a-f]{32}_./);
}

export function bookingIdOfDocument(documentId: string): string | undefined {
  return bookingIdIn(documentId, /^doc_[0-9a-f]{44}$/);
}

export function bookingIdOfCase(caseId: string): string | undefined {
  return bookingIdIn(caseId, /^dcs_[0-9a-f]{44}$/);
}

/** Of the nth case of a booking, from 1. */
export function caseIdOf(bookingId: string, nth: number): string {
  return `dcs_${bookingDigits(bookingId)}${nth.toString(16).padStart(OWN_DIGITS, "0")}`;
}

/** The document, payment or refund a command creates gets 12 hexadecimal digits of the command. */
export function documentIdOf(bookingId: string, ownDigits: string): string {
  return `doc_${bookingDigits(bookingId)}${ownDigits.slice(-OWN_DIGITS)}`;
}

export function paymentIdOf(bookingId: string, ownDigits: string): string {
  return `pay_${bookingDigits(bookingId)}${ownDigits.slice(-OWN_DIGITS)}`;
}

export function refundIdOf(paymentId: string, ownDigits: string): string {
  return `rfd_${bookingDigits(paymentId)}${ownDigits.slice(-OWN_DIGITS)}`;
}

/** A refund that the service starts itself. There is at most one per payment, so it has the payment's digits. */
export function automaticRefundId(paymentId: string): string {
  return `rfd_${paymentId.slice(PREFIX_LENGTH)}`;
}

/** There is at most one return per bank entry, so the entry names it. */
export function returnIdOf(bookingId: string, entryId: string): string {
  return `ret_${bookingDigits(bookingId)}_${entryId}`;
}

/** The bank entry of a return; undefined for any other id. */
export function entryIdOfReturn(returnId: string): string | undefined {
  return /^ret_[0-9a-f]{32}_([^~]+)/.exec(returnId)?.[1];
}

/** How the account's points know the reversal of an entry, beside the ids of refunds. */
export function reversalIdOf(entryId: string, reversals: number): string {
  return `rev_${entryId}_${reversals}`;
}

function bookingIdIn(id: string, shape: RegExp): string | undefined {
  return shape.test(id) ? `bkg_${bookingDigits(id)}` : undefined;
}

function bookingDigits(id: string): string {
  return id.slice(PREFIX_LENGTH, PREFIX_LENGTH + BOOKING_DIGITS);
}
