import { type BookingQuery, getBookingOperation } from "@travel-booking/api-contract";
import { type ApiRequest, type ApiResponse, errorResponse, type Route } from "@travel-booking/http";
import { BOOKINGS, ownedKey, timeSortKey } from "@travel-booking/read-models";
import type { QueryDependencies } from "../query-dependencies.ts";
import { accountOf } from "../reading/account-of.ts";
import { freshBody } from "../reading/fresh-body.ts";
import { jsonOrNotFound } from "../reading/json-or-not-found.ts";
import { currentBookingJson } from "./current-booking.ts";

/** A booking as it is; with `asOf`, as the last event at or before that moment left it (docs/rules.md#booking-history). */
export function getBooking(dependencies: QueryDependencies): Route {
  return {
    operation: getBookingOperation,
    reads: [BOOKINGS.projection],
    matchFirst: true,
    async handler(request: ApiRequest<BookingQuery>) {
      const key = ownedKey(accountOf(request), request.params.id ?? "");
      const { asOf } = request.query;
      if (asOf !== undefined) return bookingAsOf(dependencies, key, asOf);
      return jsonOrNotFound(await freshBody(dependencies, BOOKINGS.booking.model, key, currentBookingJson), "booking");
    },
  };
}

async function bookingAsOf({ models, clock }: QueryDependencies, key: string, asOf: number): Promise<ApiResponse> {
  if (asOf > clock.now()) return errorResponse(400, ["asOf must not be in the future"]);
  const { model, byTime } = BOOKINGS.version;
  const before = timeSortKey(asOf + 1);
  const [version] = await models.page(model, { index: byTime, partition: key, order: "descending", limit: 1, before });
  if (version !== undefined) return jsonOrNotFound(version.json, "booking");
  const exists = (await models.body(BOOKINGS.booking.model, key)) !== undefined;
  return exists ? errorResponse(404, "this booking did not exist yet at asOf") : jsonOrNotFound(undefined, "booking");
}
