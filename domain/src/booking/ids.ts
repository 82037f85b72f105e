/**
 * The ids of what belongs to a booking carry its 32 hexadecimal digits, so their stream is found without a look-up:
 * `bkg_<32 hex>`, `pay_<same 32><12 hex>`, `rfd_<same 32><12 hex>`, `doc_<same 32><12 hex>`, `ret_<same 32>_<entry id>`.
 */
const PREFIX_LENGTH = "bkg_".length;
const BOOKING_DIGITS = 32;
const OWN_DIGITS = 12;

/** These find the booking of an id; undefined for any other text. */
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

/** A refund the service starts itself: at most one per payment, so it has the payment's digits. */
export function automaticRefundId(paymentId: string): string {
  return `rfd_${paymentId.slice(PREFIX_LENGTH)}`;
}

/** At most one return per bank entry, so the entry names it. */
export function returnIdOf(bookingId: string, entryId: string): string {
  return `ret_${bookingDigits(bookingId)}_${entryId}`;
}

function bookingIdIn(id: string, shape: RegExp): string | undefined {
  return shape.test(id) ? `bkg_${bookingDigits(id)}` : undefined;
}

function bookingDigits(id: string): string {
  return id.slice(PREFIX_LENGTH, PREFIX_LENGTH + BOOKING_DIGITS);
}

const LONGEST = 21;
const SHAPE = new RegExp(`^RF[0-9]{2}[0-9A-Z]{1,${LONGEST}}$`);

/**
 * A structured creditor reference, `RF` + two check digits + `text` (ISO 11649; the check is ISO 7064 MOD 97-10).
 * @throws RangeError `text` is not 1 to 21 letters and digits.
 */
export function creditorReference(text: string): string {
  const body = text.toUpperCase();
  if (!/^[0-9A-Z]+$/.test(body) || body.length > LONGEST) {
    throw new RangeError(`a creditor reference holds 1 to ${LONGEST} letters and digits, not ${JSON.stringify(text)}`);
  }
  const check = 98 - modulo97(`${body}RF00`);
  return `RF${String(check).padStart(2, "0")}${body}`;
}

/** Whether a reference, written with or without spaces, is one and its check digits are right. */
export function isCreditorReference(reference: string): boolean {
  const compact = compactReference(reference);
  return SHAPE.test(compact) && modulo97(compact.slice(4) + compact.slice(0, 4)) === 1;
}

/** A reference as it is compared: people write it in groups of four and in lower case. */
export function compactReference(reference: string): string {
  return reference.replace(/\s/g, "").toUpperCase();
}

function modulo97(text: string): number {
  let remainder = 0;
  for (const character of text) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value < 10 ? 10 : 100) + value) % 97;
  }
  return remainder;
}
