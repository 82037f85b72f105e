import {
  type BookingListQuery,
  type BookingQuery,
  bookingSummaryBody,
  cancellationQuoteBody,
  getBookingHistoryOperation,
  getBookingOperation,
  getBookingSummaryOperation,
  getCancellationQuoteOperation,
  listBookingsOperation,
  listDocumentsOperation,
  type PageQuery,
  travelDocumentBody,
} from "@travel-booking/api-contract";
import { bookingFollowing } from "@travel-booking/domain";
import { type ApiRequest, type ApiResponse, errorResponse, type Route } from "@travel-booking/http";
import {
  BOOKINGS,
  FLIGHTS,
  findBookingPast,
  findCurrentBooking,
  findFlightChanges,
  findUpdatedBooking,
  jsonOwnedBy,
} from "@travel-booking/read-models";
import { bookingsOf, recompute } from "./booking-lists.ts";
import type { QueryDependencies } from "./dependencies.ts";
import { accountOf, entriesOf, freshJson, listPage, notFound } from "./reading.ts";

const { model } = BOOKINGS.booking;
const reads = [BOOKINGS.projection];
/** The booking may not have followed its flight yet, as a command would have it do. */
const readsWithFlight = [...reads, FLIGHTS.projection];

/** Bookings with what their shape has no room for, what happened to them, and their documents. */
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
      async handler(request: ApiRequest<BookingListQuery>) {
        const accountId = accountOf(request);
        const { limit: _limit, cursor: _cursor, ...filters } = request.query;
        const scope = { operationId: listBookingsOperation.id, accountId, filters };
        return listPage(dependencies, scope, request.query, await bookingsOf(dependencies, accountId, filters));
      },
    },
    {
      operation: getBookingSummaryOperation,
      reads: readsWithFlight,
      async handler(request: ApiRequest) {
        const now = clock.now();
        const found = await findUpdatedBooking(models, accountOf(request), request.params.id ?? "", now);
        if (found === undefined) return notFound("booking");
        const { flightId, flightRevision } = found.booking;
        const changes = await findFlightChanges(models, flightId, flightRevision);
        const booking = bookingFollowing(found.booking, now, changes);
        const updatedAt = booking === found.booking ? found.updatedAt : now;
        return { status: 200, json: JSON.stringify(bookingSummaryBody(booking, updatedAt)) };
      },
    },
    {
      operation: getCancellationQuoteOperation,
      reads: readsWithFlight,
      async handler(request: ApiRequest) {
        const now = clock.now();
        const booking = await findCurrentBooking(models, accountOf(request), request.params.id ?? "", now);
        if (booking === undefined) return notFound("booking");
        const changes = await findFlightChanges(models, booking.flightId, booking.flightRevision);
        return { status: 200, json: JSON.stringify(cancellationQuoteBody(booking, now, changes)) };
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
