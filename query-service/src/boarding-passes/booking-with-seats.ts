import { bookingOf, type ExistingBooking } from "@travel-booking/domain";
import { type ApiResponse, errorResponse, unavailable } from "@travel-booking/http";
import { BOOKINGS } from "@travel-booking/read-models";
import { findCurrentBooking } from "../bookings/current-booking.ts";
import type { QueryDependencies } from "../query-dependencies.ts";
import { notFound } from "../reading/json-or-not-found.ts";

/** Real time: how long what was decided may take to be readable. */
const READABLE_TIMEOUT_MS = 5_000;

/** Why nobody can board with this booking, or with this place on it; undefined where somebody can. */
export function boardingRefusal(booking: ExistingBooking, passenger: number | undefined): ApiResponse | undefined {
  if (passenger !== undefined && passenger >= booking.passengers.length) {
    return errorResponse(404, "no such passenger on this booking");
  }
  if (booking.status === "cancelled") return errorResponse(409, "the booking is cancelled");
  if (booking.status === "pending") return errorResponse(409, "the booking is not paid yet");
  return undefined;
}

/** The booking of this account that somebody can board with, seats or not. */
export async function bookingForBoarding(
  { models, clock }: Pick<QueryDependencies, "models" | "clock">,
  accountId: string,
  bookingId: string,
  passenger: number | undefined,
): Promise<{ readonly booking: ExistingBooking } | { readonly refusal: ApiResponse }> {
  const state = await findCurrentBooking(models, bookingId, clock.now());
  const booking = state && bookingOf(state, accountId);
  if (booking === undefined) return { refusal: notFound("booking") };
  const refusal = boardingRefusal(booking, passenger);
  return refusal === undefined ? { booking } : { refusal };
}

/** The same with seats: where it has none, those who decide are asked for them first, and what they decided is read. */
export async function bookingWithSeats(
  dependencies: QueryDependencies,
  caller: { readonly accountId: string; readonly credentialId: string },
  bookingId: string,
  passenger: number | undefined,
): Promise<{ readonly booking: ExistingBooking } | { readonly refusal: ApiResponse }> {
  const { boardingPasses, progress } = dependencies;
  const find = () => bookingForBoarding(dependencies, caller.accountId, bookingId, passenger);
  const found = await find();
  if ("refusal" in found || found.booking.seats.length > 0) return found;
  const position = await boardingPasses.assignSeats(bookingId);
  await boardingPasses.positions.record(caller.credentialId, position);
  if (!(await progress.waitUntil(BOOKINGS.projection, position, READABLE_TIMEOUT_MS))) {
    return { refusal: unavailable("The seats are not readable yet; try again.") };
  }
  const seated = await find();
  if ("refusal" in seated || seated.booking.seats.length > 0) return seated;
  return { refusal: errorResponse(409, "another change of this booking's seats is under way; try again") };
}
