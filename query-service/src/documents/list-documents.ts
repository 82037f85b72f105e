import { listDocumentsOperation, travelDocumentBody } from "@travel-booking/api-contract";
import type { ApiRequest, Route } from "@travel-booking/http";
import { BOOKINGS } from "@travel-booking/read-models";
import { findCurrentBooking } from "../bookings/current-booking.ts";
import type { QueryDependencies } from "../query-dependencies.ts";
import { accountOf } from "../reading/account-of.ts";
import { notFound } from "../reading/json-or-not-found.ts";

/** The documents of a booking, oldest first; few enough for one answer. */
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
