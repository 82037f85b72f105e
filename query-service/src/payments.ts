import {
  getPaymentOperation,
  listBookingPaymentsOperation,
  listPaymentsOperation,
  type PageQuery,
  type PaymentBody,
  type PaymentListQuery,
  paymentBody,
} from "@travel-booking/api-contract";
import { bookingIdOfPayment, type ExistingBooking, findPayment } from "@travel-booking/domain";
import type { PageRequest } from "@travel-booking/engines/read-store";
import type { ApiRequest, PageEntry, Route } from "@travel-booking/http";
import { BOOKINGS, findCurrentBooking, jsonOfPayments, timeSortKey } from "@travel-booking/read-models";
import type { QueryDependencies } from "./dependencies.ts";
import { onlyWanted, type ReadEntries } from "./only-wanted.ts";
import { accountOf, entriesAt, jsonOrNotFound, listPage, notFound } from "./reading.ts";

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
      operation: listPaymentsOperation,
      reads,
      /** Newest first. */
      handler(request: ApiRequest<PaymentListQuery>) {
        const accountId = accountOf(request);
        const { limit: _limit, cursor: _cursor, ...filters } = request.query;
        const scope = { operationId: listPaymentsOperation.id, accountId, filters };
        return listPage(dependencies, scope, request.query, paymentsOf(dependencies, accountId, filters));
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
        const scope = { operationId: listBookingPaymentsOperation.id, accountId, filters: { id } };
        return listPage(dependencies, scope, request.query, readEntries(paymentEntries(booking)));
      },
    },
  ];
}

type PaymentFilter = Omit<PaymentListQuery, "limit" | "cursor">;

/** Reads the payments of an account that pass a filter, newest first. To be made anew for each answer. */
function paymentsOf(
  { models, clock }: QueryDependencies,
  accountId: string,
  { bookingId, status, createdAfter, createdBefore }: PaymentFilter,
): ReadEntries<PageEntry> {
  const { model, byAccount: index } = BOOKINGS.payment;
  const period = {
    ...(createdAfter !== undefined && { from: timeSortKey(createdAfter + 1) }),
    ...(createdBefore !== undefined && { before: timeSortKey(createdBefore) }),
  };
  const ofBooking = async (id: string) => {
    const booking = await findCurrentBooking(models, accountId, id, clock.now());
    const entries = booking === undefined ? [] : paymentEntries(booking);
    return entries.filter(
      ({ sort }) => sort >= (period.from ?? "") && (period.before === undefined || sort < period.before),
    );
  };
  let known: Promise<readonly PageEntry[]> | undefined;
  const read = async (range: Pick<PageRequest, "limit" | "after">) => {
    if (bookingId !== undefined) {
      known ??= ofBooking(bookingId);
      return readEntries(await known)(range);
    }
    const page = { index, partition: accountId, order: "descending", ...period, ...range } as const;
    const places = await models.page(model, page);
    const ids = places.map(({ key }) => key);
    return entriesAt(places, await jsonOfPayments(models, accountId, ids, clock.now()));
  };
  // Those that were withdrawn have a place in the list, too.
  return onlyWanted(read, ({ json }) => status === undefined || (JSON.parse(json) as PaymentBody).status === status);
}

/** Reads a list that is there as a whole, newest first. */
function readEntries(entries: readonly PageEntry[]): ReadEntries<PageEntry> {
  return async ({ after, limit }) => entries.filter(({ sort }) => after === undefined || sort < after).slice(0, limit);
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
