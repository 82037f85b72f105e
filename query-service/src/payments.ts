import { getPaymentOperation, paymentBody } from "@travel-booking/api-contract";
import { bookingIdOfPayment, findPayment } from "@travel-booking/domain";
import type { ApiRequest, Route } from "@travel-booking/http";
import { BOOKINGS, findCurrentBooking } from "@travel-booking/read-models";
import type { QueryDependencies } from "./dependencies.ts";
import { accountOf, notFound } from "./reading.ts";

/** As it is now: a transfer may have expired, or a refund may have settled, recorded or not. */
export function getPayment({ models, clock }: QueryDependencies): Route {
  return {
    operation: getPaymentOperation,
    reads: [BOOKINGS.projection],
    matchFirst: true,
    async handler(request: ApiRequest) {
      const id = request.params.id ?? "";
      const bookingId = bookingIdOfPayment(id);
      if (bookingId === undefined) return notFound("payment");
      const booking = await findCurrentBooking(models, accountOf(request), bookingId, clock.now());
      const payment = booking && findPayment(booking, id);
      if (booking === undefined || payment === undefined) return notFound("payment");
      return { status: 200, json: JSON.stringify(paymentBody(booking, payment)) };
    },
  };
}
