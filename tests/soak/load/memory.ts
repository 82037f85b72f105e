import type { BookingBody, PaymentBody, SeatHoldBody } from "@travel-booking/api-contract";
import { Acknowledged } from "./acknowledged.ts";
import type { Chance } from "./chance.ts";

/** Bookings a customer still does something with. */
const IN_MIND = 30;

/** What a customer knows of what is theirs. */
export class Memory {
  readonly acknowledged = new Acknowledged();
  readonly holds: SeatHoldBody[] = [];
  readonly #chance: Chance;
  readonly #bookings: string[] = [];

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  note(booking: BookingBody | undefined): void {
    if (booking === undefined) return;
    if (!this.acknowledged.bookings.has(booking.id)) this.#bookings.push(booking.id);
    if (this.#bookings.length > IN_MIND) this.#bookings.shift();
    this.acknowledged.bookings.set(booking.id, booking);
  }

  /** Any of these statuses; undefined where there is none in mind. */
  booking(...statuses: readonly BookingBody["status"][]): BookingBody | undefined {
    const known = this.#bookings.map((id) => this.acknowledged.bookings.get(id) as BookingBody);
    return this.#chance.oneOf(known.filter(({ status }) => statuses.includes(status)));
  }

  /** Any such payment of a booking that is in mind. */
  payment(isMeant: (payment: PaymentBody) => boolean): PaymentBody | undefined {
    const payments = [...this.acknowledged.payments.values()];
    return this.#chance.oneOf(payments.filter((one) => this.#bookings.includes(one.bookingId) && isMeant(one)));
  }

  paymentsOf(bookingId: string): readonly PaymentBody[] {
    return [...this.acknowledged.payments.values()].filter((payment) => payment.bookingId === bookingId);
  }
}
