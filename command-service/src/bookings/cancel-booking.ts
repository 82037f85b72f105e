import type { CancelBookingRequest } from "@travel-booking/api-contract";
import type { ApiRequest, ApiResponse } from "@travel-booking/http";
import { type CommandRequest, commandRequest, inTheNameOf } from "../command-handling/command.ts";
import { bookingBodyOf } from "../responses.ts";
import { type CommandServices, servicesFor } from "../services.ts";
import { mayEndBooking } from "./end-booking.ts";

/** `POST /v1/bookings/{id}/cancel` */
export function cancelBooking(services: CommandServices) {
  return async (request: ApiRequest<unknown, CancelBookingRequest>): Promise<ApiResponse> =>
    cancel(servicesFor(request, services), commandRequest(request), request.params.id ?? "", request.body);
}

/** Cancels a booking. */
export function cancel(
  services: CommandServices,
  request: CommandRequest,
  bookingId: string,
  { reason }: CancelBookingRequest,
): Promise<ApiResponse> {
  const command = { type: "CancelBooking", ...inTheNameOf(request), reason: reason ?? null } as const;
  return mayEndBooking(services, request, { bookingId, command, body: bookingBodyOf, faultPoint: "cancel:recorded" });
}
