import { setImmediate } from "node:timers/promises";
import {
  type BoardingPassBody,
  type BoardingPassesBody,
  type BoardingPassFormat,
  type BoardingPassQuery,
  boardingPassBodies,
  type DestinationBody,
  getBoardingPassKeysOperation,
  getBoardingPassOperation,
} from "@travel-booking/api-contract";
import { bookingFollowing, cancelledCode, type ExistingBooking, passRevisionOf } from "@travel-booking/domain";
import { parseBody } from "@travel-booking/engines/read-store";
import { type ApiRequest, type ApiResponse, errorResponse, type Route, unavailable } from "@travel-booking/http";
import {
  BOOKINGS,
  DESTINATIONS,
  FLIGHTS,
  findCurrentBooking,
  findFlightChanges,
  findFlightSeats,
  findPassengerByEmail,
  LOYALTY,
  PASSENGERS,
  tierOfAccount,
} from "@travel-booking/read-models";
import romanize from "any-ascii";
import type { QueryDependencies } from "./dependencies.ts";
import { accountOf, notFound } from "./reading.ts";

const TYPES: Readonly<Record<BoardingPassFormat, string>> = {
  pdf: "application/pdf",
  png: "image/png",
  json: "application/json; charset=utf-8",
};

/** Boarding passes, and the keys that verify them. */
export function boardingPassRoutes(dependencies: QueryDependencies): readonly Route[] {
  const { boardingPasses } = dependencies;
  const keys = { status: 200, json: JSON.stringify(boardingPasses.signer.publicKeys) };
  return [
    {
      operation: getBoardingPassOperation,
      reads: [BOOKINGS, FLIGHTS, DESTINATIONS, PASSENGERS, LOYALTY].map(({ projection }) => projection),
      handler: (request: ApiRequest<BoardingPassQuery>) => getBoardingPass(dependencies, request),
    },
    { operation: getBoardingPassKeysOperation, handler: async () => keys },
  ];
}

/** The first request for a booking without seats assigns them. A HEAD changes nothing and draws nothing. */
async function getBoardingPass(
  dependencies: QueryDependencies,
  request: ApiRequest<BoardingPassQuery>,
): Promise<ApiResponse> {
  const [accountId, bookingId] = [accountOf(request), request.params.id ?? ""];
  const { format, passenger } = request.query;
  const find = () => bookingForBoarding(dependencies, accountId, bookingId, passenger);
  const headersFor = (booking: ExistingBooking) => ({
    ...headersOf(format, bookingId, passenger),
    "Boarding-Pass-Revision": String(passRevisionOf(booking)),
  });
  if (request.raw.request.method === "HEAD") {
    const found = await find();
    return isRefusal(found) ? found : { status: 200, json: null, headers: headersFor(found) };
  }
  const found = await withSeats(dependencies, request.caller?.credentialId ?? "", bookingId, find);
  if (isRefusal(found)) return found;
  const passes = await readPasses(dependencies, found, passenger);
  const headers = headersFor(found);
  if (format === "json") return { status: 200, json: JSON.stringify(passes), headers };
  // The wait is not counted, because another process draws and drawings queue for it.
  const file = dependencies.boardingPasses.printer.draw(accountId, { format, passes });
  return { status: 200, json: await request.waitUncounted(file), headers };
}

/** The booking id is plain, so the file name needs no escaping. */
function headersOf(format: BoardingPassFormat, bookingId: string, passenger: number | undefined) {
  const type = { "Content-Type": TYPES[format] };
  if (format === "json") return type;
  const name = ["boarding-pass", bookingId, ...(passenger === undefined ? [] : [passenger + 1])].join("-");
  return { ...type, "Content-Disposition": `attachment; filename="${name}.${format}"` };
}

/** Real time until assigned seats must be readable. */
const READABLE_TIMEOUT_MS = 5_000;

type BookingOrRefusal = ExistingBooking | ApiResponse;

const isRefusal = (found: BookingOrRefusal): found is ApiResponse => "json" in found;

/** The booking if it is confirmed and has the passenger, with or without seats. */
async function bookingForBoarding(
  { models, clock }: QueryDependencies,
  accountId: string,
  bookingId: string,
  passenger: number | undefined,
): Promise<BookingOrRefusal> {
  const now = clock.now();
  const found = await findCurrentBooking(models, accountId, bookingId, now);
  if (found === undefined) return notFound("booking");
  // It may not have followed its flight yet.
  const booking = bookingFollowing(found, now, await findFlightChanges(models, found.flightId, found.flightRevision));
  if (passenger !== undefined && passenger >= booking.passengers.length) {
    return errorResponse(404, "passenger_not_found", "no such passenger on this booking");
  }
  if (booking.status === "cancelled") {
    const code = cancelledCode(booking);
    return errorResponse(409, code, code === "flight_cancelled" ? FLIGHT_CANCELLED : "the booking is cancelled");
  }
  if (booking.status === "pending") return errorResponse(409, "booking_pending", "the booking is not paid yet");
  if (booking.unplaced === true)
    return errorResponse(409, "cabin_sold_out", "the ship that comes instead has no place for the booking");
  return booking.flightCancelled === true ? errorResponse(409, "flight_cancelled", FLIGHT_CANCELLED) : booking;
}

const FLIGHT_CANCELLED = "the flight is cancelled";

/** The booking of `find`, with seats. Assigns missing seats and waits until the read model shows them. */
async function withSeats(
  { boardingPasses, progress }: QueryDependencies,
  credentialId: string,
  bookingId: string,
  find: () => Promise<BookingOrRefusal>,
): Promise<BookingOrRefusal> {
  const found = await find();
  if (isRefusal(found) || found.seats.length > 0) return found;
  const position = await boardingPasses.assignSeats(bookingId);
  await boardingPasses.positions.record(credentialId, position);
  if (!(await progress.waitUntil(BOOKINGS.projection, position, READABLE_TIMEOUT_MS))) {
    return unavailable("not_yet_readable", "The seats are not readable yet; try again.");
  }
  const seated = await find();
  if (isRefusal(seated) || seated.seats.length > 0) return seated;
  return errorResponse(409, "concurrent_change", "another change of this booking's seats is under way; try again");
}

/** @param passenger undefined: all passengers of the booking. */
async function readPasses(
  { models, words, boardingPasses: { signer } }: QueryDependencies,
  booking: ExistingBooking,
  passenger: number | undefined,
): Promise<BoardingPassesBody> {
  const { accountId, flightId, passengers } = booking;
  const plan = (await findFlightSeats(models, flightId))?.plan;
  if (plan === undefined)
    throw new Error(`booking ${booking.bookingId} is on flight ${flightId}, which does not exist`);
  const [destination, tier] = await Promise.all([
    models.body(DESTINATIONS.destination.model, plan.destinationId),
    tierOfAccount(models, accountId),
  ]);
  const memberNumbers: (string | null)[] = [];
  for (const { email } of passengers) {
    // Other requests are served between two profiles, because a profile may be large.
    await setImmediate();
    const profile = await findPassengerByEmail(models, accountId, await words.keys.emailKey(accountId, email));
    memberNumbers.push(profile?.loyaltyNumber ?? null);
  }
  const destinationName = destination && parseBody<DestinationBody>(destination).name;
  const data = {
    booking,
    plan,
    destinationName: destinationName ?? plan.destinationId,
    tier,
    memberNumbers,
    barcodeTools: { romanize, sign: (text: string) => signer.sign(text) },
  };
  const passes: BoardingPassBody[] = [];
  for (const pass of boardingPassBodies(data, passenger === undefined ? passengers.keys() : [passenger])) {
    passes.push(pass);
    // Other requests are also served between two passes.
    await setImmediate();
  }
  return { bookingId: booking.bookingId, reference: booking.reference, passes };
}
