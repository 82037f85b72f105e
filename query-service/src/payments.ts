import {
  getPaymentOperation,
  listBookingPaymentsOperation,
  type PageQuery,
  paymentBody,
} from "@travel-booking/api-contract";
import { bookingIdOfPayment, type ExistingBooking, findPayment } from "@travel-booking/domain";
import type { ApiRequest, PageEntry, Route } from "@travel-booking/http";
import { BOOKINGS, findCurrentBooking, timeSortKey } from "@travel-booking/read-models";
import type { QueryDependencies } from "./dependencies.ts";
import { accountOf, jsonOrNotFound, listPage, notFound } from "./reading.ts";

const reads = [BOOKINGS.projection];

/** Payments as they are now: a transfer may have expired, or a refund may have settled, recorded or not. */
export function paymentRoutes(dependencies: QueryDependencies): readonly Route[] {
  const { models, clock } = dependencies;
  return [
    {
      operation: getPaymentOperation,
      reads,
      async handler(request: ApiRequest) {
        const id = request.params.id ?? "";
        const bookingId = bookingIdOfPayment(id);
        if (bookingId === undefined) return notFound("payment");
        const booking = await findCurrentBooking(models, accountOf(request), bookingId, clock.now());
        const payment = booking && findPayment(booking, id);
        return jsonOrNotFound(booking && payment && JSON.stringify(paymentBody(booking, payment)), "payment");
      },
    },
    {
      operation: listBookingPaymentsOperation,
      reads,
      /** Newest first. */
      async handler(request: ApiRequest<PageQuery>) {
        const [accountId, id] = [accountOf(request), request.params.id ?? ""];
        const booking = await findCurrentBooking(models, accountId, id, clock.now());
        if (booking === undefined) return notFound("booking");
        const entries = paymentEntries(booking);
        const scope = { operationId: listBookingPaymentsOperation.id, accountId, filters: { id } };
        return listPage(dependencies, scope, request.query, async ({ after, limit }) =>
          entries.filter(({ sort }) => after === undefined || sort < after).slice(0, limit),
        );
      },
    },
  ];
}

/** The payments of a booking, newest first. */
function paymentEntries(booking: ExistingBooking): readonly PageEntry[] {
  return booking.payments
    .map((payment) => {
      const sort = timeSortKey(payment.createdAt, payment.paymentId);
      return { sort, json: JSON.stringify(paymentBody(booking, payment)) };
    })
    .sort((one, other) => (one.sort < other.sort ? 1 : -1));
}
