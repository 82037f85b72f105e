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
import type { Body, ReadModels } from "@travel-booking/engines/read-store";
import { type ApiRequest, type ApiResponse, errorResponse, type Route } from "@travel-booking/http";
import { BOOKINGS, findBookingPast, findCurrentBooking, idOfOwnedKey, jsonOwnedBy } from "@travel-booking/read-models";
import type { QueryDependencies } from "./dependencies.ts";
import {
  accountOf,
  freshEntries,
  freshJson,
  jsonOrNotFound,
  listPage,
  notFound,
  type RecomputeBody,
} from "./reading.ts";

const { model, byAccount } = BOOKINGS.booking;

/** The JSON of a booking of this account at a time, from what happened to it. */
function recompute(accountId: string): RecomputeBody {
  return async (models, key, now) => {
    const booking = await findCurrentBooking(models, accountId, idOfOwnedKey(key), now);
    return booking === undefined ? undefined : JSON.stringify(bookingBody(booking));
  };
}

/** The stored JSON of a booking of this account. */
async function storedBooking(models: ReadModels, accountId: string, bookingId: string): Promise<Body | undefined> {
  const body = await models.body(model, bookingId);
  if (body === undefined) return undefined;
  const json = jsonOwnedBy(accountId, body.json);
  return json === undefined ? undefined : { ...body, json };
}

/** Newest first. */
export function listBookings(dependencies: QueryDependencies): Route {
  return {
    operation: listBookingsOperation,
    reads: [BOOKINGS.projection],
    matchFirst: true,
    handler(request: ApiRequest<PageQuery>) {
      const accountId = accountOf(request);
      const scope = { operationId: listBookingsOperation.id, accountId, filters: {} };
      return listPage(dependencies, scope, request.query, async (range) => {
        const page = { index: byAccount, partition: accountId, order: "descending", ...range } as const;
        const items = await dependencies.models.page(model, page);
        const own = items.map((item) => ({ ...item, json: jsonOwnedBy(accountId, item.json) ?? item.json }));
        return freshEntries(dependencies, own, recompute(accountId));
      });
    },
  };
}

/** With `asOf`: the booking after the last event at or before that moment (docs/rules.md#booking-history). */
export function getBooking(dependencies: QueryDependencies): Route {
  const { models } = dependencies;
  return {
    operation: getBookingOperation,
    reads: [BOOKINGS.projection],
    matchFirst: true,
    async handler(request: ApiRequest<BookingQuery>) {
      const [accountId, id] = [accountOf(request), request.params.id ?? ""];
      const { asOf } = request.query;
      if (asOf !== undefined) return bookingAsOf(dependencies, accountId, id, asOf);
      const stored = await storedBooking(models, accountId, id);
      return jsonOrNotFound(stored && (await freshJson(dependencies, id, stored, recompute(accountId))), "booking");
    },
  };
}

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

/** Oldest first. */
export function getBookingHistory(dependencies: QueryDependencies): Route {
  const { models } = dependencies;
  return {
    operation: getBookingHistoryOperation,
    reads: [BOOKINGS.projection],
    async handler(request: ApiRequest<PageQuery>) {
      const [accountId, id] = [accountOf(request), request.params.id ?? ""];
      const past = await findBookingPast(models, accountId, id);
      if (past === undefined) return notFound("booking");
      const scope = { operationId: getBookingHistoryOperation.id, accountId, filters: { id } };
      return listPage(dependencies, scope, request.query, (range) => past.history(range));
    },
  };
}

/** Oldest first; a booking has few enough for one answer. */
export function listDocuments({ models, clock }: QueryDependencies): Route {
  return {
    operation: listDocumentsOperation,
    reads: [BOOKINGS.projection],
    async handler(request: ApiRequest) {
      const booking = await findCurrentBooking(models, accountOf(request), request.params.id ?? "", clock.now());
      if (booking === undefined) return notFound("booking");
      return { status: 200, json: JSON.stringify({ data: booking.documents.map(travelDocumentBody) }) };
    },
  };
}
