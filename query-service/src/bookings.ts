import {
  type BookingQuery,
  bookingBody,
  getBookingHistoryOperation,
  getBookingOperation,
  listBookingsOperation,
  listDocumentsOperation,
  type PageQuery,
  travelDocumentBody,
} from "@travel-booking/api-contract";
import { type ApiRequest, type ApiResponse, errorResponse, type Route } from "@travel-booking/http";
import { BOOKINGS, findBookingPast, findCurrentBooking, jsonOwnedBy } from "@travel-booking/read-models";
import type { QueryDependencies } from "./dependencies.ts";
import { accountOf, entriesOf, freshEntries, freshJson, listPage, notFound, type RecomputeBody } from "./reading.ts";

const { model, byAccount } = BOOKINGS.booking;
const reads = [BOOKINGS.projection];

/** The JSON of a booking of this account at a time, from what happened to it. */
function recompute(accountId: string): RecomputeBody {
  return async (models, bookingId, now) => {
    const booking = await findCurrentBooking(models, accountId, bookingId, now);
    return booking && JSON.stringify(bookingBody(booking));
  };
}

/** Bookings with what happened to them, and their documents. */
export function bookingRoutes(dependencies: QueryDependencies): readonly Route[] {
  const { models, clock } = dependencies;
  return [
    {
      operation: getBookingOperation,
      reads,
      async handler(request: ApiRequest<BookingQuery>) {
        const [accountId, id] = [accountOf(request), request.params.id ?? ""];
        const { asOf } = request.query;
        if (asOf !== undefined) return bookingAsOf(dependencies, accountId, id, asOf);
        const stored = await models.body(model, id);
        const json = stored && jsonOwnedBy(accountId, stored.json);
        if (stored === undefined || json === undefined) return notFound("booking");
        const fresh = await freshJson(dependencies, id, { ...stored, json }, recompute(accountId));
        return { status: 200, json: fresh };
      },
    },
    {
      operation: listBookingsOperation,
      reads,
      /** Newest first. */
      handler(request: ApiRequest<PageQuery>) {
        const accountId = accountOf(request);
        const scope = { operationId: listBookingsOperation.id, accountId, filters: {} };
        return listPage(dependencies, scope, request.query, async (range) => {
          const page = { index: byAccount, partition: accountId, order: "descending", ...range } as const;
          const items = await models.page(model, page);
          const own = items.map((item) => ({ ...item, json: jsonOwnedBy(accountId, item.json) ?? item.json }));
          return freshEntries(dependencies, own, recompute(accountId));
        });
      },
    },
    {
      operation: getBookingHistoryOperation,
      reads,
      /** Oldest first. */
      async handler(request: ApiRequest<PageQuery>) {
        const [accountId, id] = [accountOf(request), request.params.id ?? ""];
        const past = await findBookingPast(models, accountId, id);
        if (past === undefined) return notFound("booking");
        const scope = { operationId: getBookingHistoryOperation.id, accountId, filters: { id } };
        return listPage(dependencies, scope, request.query, async (range) => entriesOf(await past.history(range)));
      },
    },
    {
      operation: listDocumentsOperation,
      reads,
      /** Oldest first; a booking has few enough for one answer. */
      async handler(request: ApiRequest) {
        const booking = await findCurrentBooking(models, accountOf(request), request.params.id ?? "", clock.now());
        if (booking === undefined) return notFound("booking");
        return { status: 200, json: JSON.stringify({ data: booking.documents.map(travelDocumentBody) }) };
      },
    },
  ];
}

/** The booking after the last event at or before that moment (docs/rules.md#booking-history). */
async function bookingAsOf(
  { models, clock }: QueryDependencies,
  accountId: string,
  bookingId: string,
  asOf: number,
): Promise<ApiResponse> {
  if (asOf > clock.now()) return errorResponse(400, "moment_in_future", ["asOf must not be in the future"]);
  const past = await findBookingPast(models, accountId, bookingId);
  if (past === undefined) return notFound("booking");
  const json = await past.jsonAsOf(asOf);
  return json === undefined
    ? errorResponse(404, "booking_not_yet_made", "this booking did not exist yet at asOf")
    : { status: 200, json };
}
