import type { BookingBody, PaymentBody, SeatHoldBody } from "@travel-booking/api-contract";

/** What clients, and the bank, have been told so far. */
export class KnownResources {
  readonly holds: { readonly accountId: string; readonly body: SeatHoldBody }[] = [];
  readonly bookings: { readonly accountId: string; readonly body: BookingBody }[] = [];
  readonly payments: { readonly accountId: string; readonly body: PaymentBody }[] = [];

  /** Keeps what an answer tells of. */
  record(operation: string, accountId: string, body: unknown): void {
    if (operation === "createSeatHold") this.holds.push({ accountId, body: body as SeatHoldBody });
    if (operation === "createBooking") this.bookings.push({ accountId, body: body as BookingBody });
    if (operation === "createPayment") this.payments.push({ accountId, body: body as PaymentBody });
  }
}

/** The newest first, so that small numbers mean what was just made. */
export function pick<Thing>(things: readonly Thing[], which: number): Thing | undefined {
  return things.length === 0 ? undefined : things[things.length - 1 - (which % things.length)];
}
