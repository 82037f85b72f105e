import type { BookingBody, PassengerProfileBody, PaymentBody, RedemptionBody } from "@travel-booking/api-contract";

/** What a customer was told last of everything that is theirs, by id. */
export class Acknowledged {
  readonly bookings = new Map<string, BookingBody>();
  readonly payments = new Map<string, PaymentBody>();
  readonly passengers = new Map<string, PassengerProfileBody>();
  readonly redemptions = new Map<string, RedemptionBody>();
}

/** As text that two answers have in common if they tell the same. Refunds settle by themselves, so their status is left out. */
export function comparable(body: object): string {
  return JSON.stringify(body, (key, value) =>
    key === "refunds" ? (value as readonly object[]).map((refund) => ({ ...refund, status: undefined })) : value,
  );
}
