import { type ApiResponse, errorResponse } from "@travel-booking/http";

/** A stored body, sent as it is; 404 where there is none. */
export function jsonOrNotFound(json: Uint8Array | undefined, what: string): ApiResponse {
  return json === undefined ? notFound(what) : { status: 200, json };
}

/** `what`: a booking, a flight, … Another account's answers the same as none at all. */
export function notFound(what: string): ApiResponse {
  return errorResponse(404, `no ${what} with this id`);
}
