import { type BookingQuery, getBookingOperation } from "@travel-booking/api-contract";
import { type ApiRequest, type ApiResponse, errorResponse, type Route } from "@travel-booking/http";
import { BOOKINGS, ownedKey, timeSort } from "@travel-booking/read-models";
import type { QueryDependencies } from "../query-dependencies.ts";
import { accountOf } from "../reading/account-of.ts";
import { found } from "../reading/found.ts";
import { timelyBody } from "../reading/timely.ts";
import { bookingNow } from "./booking-now.ts";

/** A booking as it is; with `asOf`, as the last event at or before that moment left it (docs/rules.md#booking-history). */
export function getBooking(dependencies: QueryDependencies): Route {
  return {
    operation: getBookingOperation,
    reads: [BOOKINGS.projection],
    hot: true,
    async handler(request: ApiRequest<BookingQuery>) {
      const key = ownedKey(accountOf(request), request.params.id ?? "");
      const { asOf } = request.query;
      if (asOf !== undefined) return bookingAsOf(dependencies, key, asOf);
      return found(await timelyBody(dependencies, BOOKINGS.booking.model, key, bookingNow), "booking");
    },
  };
}

async function bookingAsOf({ models, clock }: QueryDependencies, key: string, asOf: number): Promise<ApiResponse> {
  if (asOf > clock.now()) return errorResponse(400, ["asOf must not be in the future"]);
  const { model, byTime } = BOOKINGS.version;
  const before = timeSort(asOf + 1);
  const [version] = await models.page(model, { index: byTime, partition: key, order: "descending", limit: 1, before });
  if (version !== undefined) return found(version.json, "booking");
  const exists = (await models.body(BOOKINGS.booking.model, key)) !== undefined;
  return exists ? errorResponse(404, "this booking did not exist yet at asOf") : found(undefined, "booking");
}
