import { getBookingHistoryOperation, type PageQuery } from "@travel-booking/api-contract";
import { type ApiRequest, pageResponse, type Route } from "@travel-booking/http";
import { BOOKINGS, ownedKey } from "@travel-booking/read-models";
import type { QueryDependencies } from "../query-dependencies.ts";
import { accountOf } from "../reading/account-of.ts";
import { notFound } from "../reading/json-or-not-found.ts";

/** What happened to a booking, oldest first. */
export function getBookingHistory({ models, cursors }: QueryDependencies): Route {
  const { model, byBooking: index } = BOOKINGS.history;
  return {
    operation: getBookingHistoryOperation,
    reads: [BOOKINGS.projection],
    async handler(request: ApiRequest<PageQuery>) {
      const accountId = accountOf(request);
      const id = request.params.id ?? "";
      const partition = ownedKey(accountId, id);
      if ((await models.body(BOOKINGS.booking.model, partition)) === undefined) return notFound("booking");
      return pageResponse({
        cursors,
        scope: { operationId: getBookingHistoryOperation.id, accountId, filters: { id } },
        limit: request.query.limit,
        cursor: request.query.cursor,
        read: (limit, after) =>
          models.page(model, {
            index,
            partition,
            order: "ascending",
            limit,
            ...(after === undefined ? {} : { after }),
          }),
      });
    },
  };
}
