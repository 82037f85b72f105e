import { getPaymentOperation, paymentBody } from "@travel-booking/api-contract";
import { bookingIdOfPayment, paymentOf } from "@travel-booking/domain";
import type { ReadModels } from "@travel-booking/engines/read-store";
import type { ApiRequest, Route } from "@travel-booking/http";
import { BOOKINGS, idOfOwnedKey, ownedKey } from "@travel-booking/read-models";
import { findCurrentBooking } from "./bookings.ts";
import type { QueryDependencies } from "./dependencies.ts";
import { accountOf, freshBody, jsonOrNotFound } from "./reading.ts";

/** By `now` a transfer may have expired, or a refund may have settled. */
async function currentPaymentJson(models: ReadModels, key: string, now: number): Promise<string | undefined> {
  const paymentId = idOfOwnedKey(key);
  const bookingId = bookingIdOfPayment(paymentId);
  const booking = bookingId === undefined ? undefined : await findCurrentBooking(models, bookingId, now);
  const payment = booking && paymentOf(booking, paymentId);
  return booking === undefined || payment === undefined ? undefined : JSON.stringify(paymentBody(booking, payment));
}

export function getPayment(dependencies: QueryDependencies): Route {
  return {
    operation: getPaymentOperation,
    reads: [BOOKINGS.projection],
    matchFirst: true,
    async handler(request: ApiRequest) {
      const key = ownedKey(accountOf(request), request.params.id ?? "");
      return jsonOrNotFound(await freshBody(dependencies, BOOKINGS.payment.model, key, currentPaymentJson), "payment");
    },
  };
}
