import { listBookingsOperation, type PageQuery } from "@travel-booking/api-contract";
import { type ApiRequest, pageResponse, type Route } from "@travel-booking/http";
import { BOOKINGS } from "@travel-booking/read-models";
import type { QueryDependencies } from "../query-dependencies.ts";
import { accountOf } from "../reading/account-of.ts";
import { freshEntries } from "../reading/fresh-body.ts";
import { currentBookingJson } from "./current-booking.ts";

/** The account's bookings, newest first. */
export function listBookings(dependencies: QueryDependencies): Route {
  const { model, byAccount: index } = BOOKINGS.booking;
  return {
    operation: listBookingsOperation,
    reads: [BOOKINGS.projection],
    handler(request: ApiRequest<PageQuery>) {
      const partition = accountOf(request);
      return pageResponse({
        cursors: dependencies.cursors,
        scope: { operationId: listBookingsOperation.id, accountId: partition, filters: {} },
        limit: request.query.limit,
        cursor: request.query.cursor,
        async read(limit, after) {
          const page = {
            index,
            partition,
            order: "descending",
            limit,
            ...(after === undefined ? {} : { after }),
          } as const;
          return freshEntries(dependencies, await dependencies.models.page(model, page), currentBookingJson);
        },
      });
    },
  };
}
