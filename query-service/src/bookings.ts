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
import { bookingAt, type ExistingBooking, isExistingBooking } from "@travel-booking/domain";
import type { ReadModels } from "@travel-booking/engines/read-store";
import { type ApiRequest, type ApiResponse, errorResponse, type Route } from "@travel-booking/http";
import { BOOKINGS, type BookingDocumentState, idOfOwnedKey, ownedKey, timeSortKey } from "@travel-booking/read-models";
import type { QueryDependencies } from "./dependencies.ts";
import { accountOf, freshBody, freshEntries, jsonOrNotFound, listPage, notFound } from "./reading.ts";

/** A booking at `now`: what has expired by then counts, recorded or not. */
export async function findCurrentBooking(
  models: ReadModels,
  bookingId: string,
  now: number,
): Promise<ExistingBooking | undefined> {
  const document = await models.document(BOOKINGS.state.model, bookingId);
  if (document === undefined) return undefined;
  const booking = bookingAt((document.state as BookingDocumentState).booking, now);
  return isExistingBooking(booking) ? booking : undefined;
}

async function currentBookingJson(models: ReadModels, key: string, now: number): Promise<string | undefined> {
  const booking = await findCurrentBooking(models, idOfOwnedKey(key), now);
  return booking === undefined ? undefined : JSON.stringify(bookingBody(booking));
}

/** Newest first. */
export function listBookings(dependencies: QueryDependencies): Route {
  const { model, byAccount: index } = BOOKINGS.booking;
  return {
    operation: listBookingsOperation,
    reads: [BOOKINGS.projection],
    handler(request: ApiRequest<PageQuery>) {
      const accountId = accountOf(request);
      const scope = { operationId: listBookingsOperation.id, accountId, filters: {} };
      return listPage(dependencies, scope, request.query, async (range) => {
        const page = { index, partition: accountId, order: "descending", ...range } as const;
        return freshEntries(dependencies, await dependencies.models.page(model, page), currentBookingJson);
      });
    },
  };
}

/** With `asOf`: the booking after the last event at or before that moment (docs/rules.md#booking-history). */
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
  if (version !== undefined) return { status: 200, json: version.json };
  const exists = (await models.body(BOOKINGS.booking.model, key)) !== undefined;
  return exists ? errorResponse(404, "this booking did not exist yet at asOf") : notFound("booking");
}

/** Oldest first. */
export function getBookingHistory(dependencies: QueryDependencies): Route {
  const { models } = dependencies;
  const { model, byBooking: index } = BOOKINGS.history;
  return {
    operation: getBookingHistoryOperation,
    reads: [BOOKINGS.projection],
    async handler(request: ApiRequest<PageQuery>) {
      const accountId = accountOf(request);
      const id = request.params.id ?? "";
      const partition = ownedKey(accountId, id);
      if ((await models.body(BOOKINGS.booking.model, partition)) === undefined) return notFound("booking");
      const scope = { operationId: getBookingHistoryOperation.id, accountId, filters: { id } };
      return listPage(dependencies, scope, request.query, (range) =>
        models.page(model, { index, partition, order: "ascending", ...range }),
      );
    },
  };
}

/** Oldest first; a booking has few enough for one answer. */
export function listDocuments({ models, clock }: QueryDependencies): Route {
  return {
    operation: listDocumentsOperation,
    reads: [BOOKINGS.projection],
    async handler(request: ApiRequest) {
      const booking = await findCurrentBooking(models, request.params.id ?? "", clock.now());
      if (booking === undefined || booking.accountId !== accountOf(request)) return notFound("booking");
      return { status: 200, json: JSON.stringify({ data: booking.documents.map(travelDocumentBody) }) };
    },
  };
}
