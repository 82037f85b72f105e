/**
 * Ids of what a command creates derive from the command's id, so that a repeated command creates the same again. A
 * payment and a refund carry the digits of their booking, which leads to its stream without a look-up.
 */
function digits(commandId: string): string {
  return commandId.replaceAll("-", "");
}

/** Ten random digits of a command id (its time, version and variant left out) and two that count. */
function inBooking(prefix: string, bookingId: string, commandId: string, index: number): string {
  if (!(index >= 0 && index < 0x100)) throw new RangeError("a command creates at most 256 of a kind");
  const own = digits(commandId);
  const random = own.slice(13, 16) + own.slice(17, 24);
  return `${prefix}_${bookingId.slice("bkg_".length)}${random}${index.toString(16).padStart(2, "0")}`;
}

export const accountIdOf = (commandId: string): string => `acc_${digits(commandId)}`;
export const credentialIdOf = (commandId: string): string => `crd_${digits(commandId)}`;
export const holdIdOf = (commandId: string): string => `hld_${digits(commandId)}`;
export const bookingIdOf = (commandId: string): string => `bkg_${digits(commandId)}`;

/** `index` tells the payments of one command apart. */
export function paymentIdOf(bookingId: string, commandId: string, index = 0): string {
  return inBooking("pay", bookingId, commandId, index);
}

/** `index` tells the refunds of one command apart. */
export function refundIdOf(bookingId: string, commandId: string, index = 0): string {
  return inBooking("rfd", bookingId, commandId, index);
}

const INSIDE_BOOKING = /^(?:pay|rfd)_([0-9a-f]{32})[0-9a-f]{12}$/;

/** The booking a payment or refund belongs to; undefined where it is not the id of one. */
export function bookingIdInside(id: string): string | undefined {
  const booking = INSIDE_BOOKING.exec(id)?.[1];
  return booking === undefined ? undefined : `bkg_${booking}`;
}
