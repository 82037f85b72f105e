import {
  type BarcodeTools,
  BOARDING_GROUPS,
  barCodedBoardingPass,
  boardingAtOf,
  boardingGroupOf,
  type ExistingBooking,
  type FlightPlan,
  passportChecks,
  sequenceOf,
  type Tier,
} from "@travel-booking/domain";
import { z } from "zod";
import { timestamp } from "../bodies/timestamp.ts";
import { outputId, outputText, utcDateTime } from "../fields.ts";
import type { Operation } from "../operation.ts";
import { MAX_PASSENGER_NAME, MAX_PASSENGERS, MAX_REFERENCE } from "./booking.ts";
import { MAX_DESTINATION_NAME } from "./destination.ts";
import { cabin } from "./flight.ts";

const BOARDING_PASS_FORMATS = ["pdf", "png", "json"] as const;
export type BoardingPassFormat = (typeof BOARDING_PASS_FORMATS)[number];

/** The passport is verified, under review, or missing. */
const DOCUMENT_CHECKS = ["ok", "pending", "missing"] as const;

/** Digits of a position in the query parameter. */
const MAX_DIGITS = 20;

const position = z
  .int()
  .min(0)
  .max(MAX_PASSENGERS - 1)
  .meta({ format: "int32" });

const barcodeSchema = z.strictObject({
  format: z
    .enum(["aztec"])
    .describe("The symbology to draw it in on a screen; on paper PDF417 carries the same message."),
  message: outputText(260).describe(
    "What the barcode says: IATA Bar Coded Boarding Pass (Resolution 792), signed with Ed25519 in its security data.",
  ),
});

const boardingPassSchema = z
  .strictObject({
    passenger: position.describe("The passenger's place on the booking, from 0."),
    passengerName: outputText(MAX_PASSENGER_NAME).describe("Full name, as on the travel document."),
    flightId: outputId.describe("The flight."),
    from: outputText(8).describe("Code of the spaceport it departs from."),
    destination: z.strictObject({ id: outputId, name: outputText(MAX_DESTINATION_NAME) }).describe("Where it goes."),
    departsAt: utcDateTime.describe("When it departs."),
    boardingAt: utcDateTime.describe("When boarding begins."),
    cabin,
    seat: outputText(4).describe("Seat number."),
    boardingGroup: z
      .enum(BOARDING_GROUPS)
      .meta({ id: "BoardingGroup", description: "Groups are called in order, A first." }),
    sequence: z.int().min(1).meta({ format: "int32", description: "Number in boarding order, unique on the flight." }),
    memberNumber: outputText(255)
      .nullable()
      .describe("Loyalty number of the saved passenger with this e-mail address."),
    documentCheck: z
      .enum(DOCUMENT_CHECKS)
      .meta({ id: "DocumentCheck", description: "Boarding needs a verified passport: whether there is one." }),
    barcode: barcodeSchema,
  })
  .meta({ id: "BoardingPass", description: "What one passenger boards with." });
export type BoardingPassBody = z.infer<typeof boardingPassSchema>;

const boardingPassesSchema = z
  .strictObject({
    bookingId: outputId.describe("The booking."),
    reference: outputText(MAX_REFERENCE).nullable().describe("The client's own reference, if it sent one."),
    passes: z
      .array(boardingPassSchema)
      .min(1)
      .max(MAX_PASSENGERS)
      .describe("One per passenger asked for, in their order."),
  })
  .meta({ id: "BoardingPasses", description: "Boarding passes of a booking, to be shown in a design of one's own." });
export type BoardingPassesBody = z.infer<typeof boardingPassesSchema>;

const boardingPassQuerySchema = z.strictObject({
  format: z
    .enum(BOARDING_PASS_FORMATS)
    .default("pdf")
    .meta({ default: "pdf", description: "PDF to print, PNG for a phone, or the data alone." }),
  passenger: z
    .string()
    .regex(/^(?:0|[1-9]\d*)$/, "must be a whole number of at least 0")
    .max(MAX_DIGITS, `must have at most ${MAX_DIGITS} digits`)
    .transform(Number)
    .meta({
      type: "integer",
      format: "int32",
      minimum: 0,
      maximum: 2_147_483_647,
      description: "The pass of this passenger alone: their place on the booking, from 0.",
    })
    .optional(),
});
export type BoardingPassQuery = z.infer<typeof boardingPassQuerySchema>;

interface BoardingPassData {
  /** A booking with a seat for every passenger. */
  readonly booking: ExistingBooking;
  readonly plan: FlightPlan;
  readonly destinationName: string;
  /** The tier of the account. */
  readonly tier: Tier;
  /** Member numbers of the saved passengers, one per passenger of the booking. */
  readonly memberNumbers: readonly (string | null)[];
  readonly barcodeTools: BarcodeTools;
}

/**
 * Yields one body at a time, because each is spelled and signed.
 * @param passengers indexes of passengers on the booking.
 * @throws Error a passenger has no seat, or the flight does not have it.
 */
export function* boardingPassBodies(
  data: BoardingPassData,
  passengers: Iterable<number>,
): Generator<BoardingPassBody, void, undefined> {
  const checks = passportChecks(data.booking);
  for (const passenger of passengers) yield boardingPassBody(data, passenger, checks);
}

function boardingPassBody(
  data: BoardingPassData,
  passenger: number,
  checks: ReturnType<typeof passportChecks>,
): BoardingPassBody {
  const { booking, plan, destinationName, tier } = data;
  const { bookingId, flightId, cabin } = booking;
  const passengerName = booking.passengers[passenger]?.name;
  const checked = checks[passenger];
  const seat = booking.seats[passenger];
  const cabinPlan = plan.cabins.find((one) => one.cabin === cabin);
  if (passengerName === undefined || checked === undefined || seat === undefined || cabinPlan === undefined) {
    throw new Error(`passenger ${passenger} of booking ${bookingId} has no seat`);
  }
  const { from, destinationId, departsAt } = plan;
  const memberNumber = data.memberNumbers[passenger] ?? null;
  const sequence = sequenceOf(plan, seat);
  const leg = {
    bookingId,
    passengerName,
    zoneName: checked.passport?.zoneName,
    flightId,
    from,
    destinationId,
    departsAt,
    cabin,
    seat,
    sequence,
    memberNumber,
    documentsChecked: checked.check === "ok",
  };
  const message = barCodedBoardingPass(leg, data.barcodeTools);
  return {
    passenger,
    passengerName,
    flightId,
    from,
    destination: { id: destinationId, name: destinationName },
    departsAt: timestamp(departsAt),
    boardingAt: timestamp(boardingAtOf(departsAt)),
    cabin,
    seat,
    boardingGroup: boardingGroupOf(cabinPlan, Number.parseInt(seat, 10), tier),
    sequence,
    memberNumber,
    documentCheck: checked.check,
    barcode: { format: "aztec", message },
  };
}

export const getBoardingPassOperation = {
  id: "getBoardingPass",
  method: "GET",
  path: "/v1/bookings/{id}/boarding-pass",
  service: "query",
  tag: "Boarding passes",
  summary: "Get the boarding passes of a confirmed booking",
  description:
    "As PDF with a page of A6 per passenger, as PNG for a phone, one passenger below the other (`passenger=0`: the first alone), or as data. Times are UTC. The barcode is signed: see the keys of boarding passes. Passengers who have chosen no seats are given some: together as far as can be, and as they like to sit by their saved profiles. A PDF needs a browser at the service: without one it gets 503, and a PNG has the barcodes alone.",
  scope: "bookings:read",
  query: boardingPassQuerySchema,
  success: {
    status: 200,
    body: boardingPassesSchema,
    files: ["application/pdf", "image/png"],
    headers: ["Boarding-Pass-Revision"],
  },
  errors: {
    404: ["booking_not_found", "passenger_not_found"],
    409: ["flight_cancelled", "booking_cancelled", "booking_pending", "cabin_sold_out", "concurrent_change"],
    503: ["printing_unavailable"],
  },
} as const satisfies Operation;

const publicKeysSchema = z
  .strictObject({
    keys: z
      .array(
        z.strictObject({
          kty: z.enum(["OKP"]).describe("The type of the key."),
          crv: z.enum(["Ed25519"]).describe("Its curve."),
          alg: z.enum(["EdDSA"]).describe("The algorithm it is for."),
          use: z.enum(["sig"]).describe("It checks signatures."),
          x: outputText(43).describe("The public key: 32 bytes as base64url."),
        }),
      )
      .min(1)
      .max(2)
      .describe("The key in use first; behind it the one before, while `SECRET_KEY` is being changed."),
  })
  .meta({ id: "BoardingPassKeys", description: "A JSON Web Key Set (RFC 7517, RFC 8037)." });
export type BoardingPassKeysBody = z.infer<typeof publicKeysSchema>;

export const getBoardingPassKeysOperation = {
  id: "getBoardingPassKeys",
  method: "GET",
  path: "/.well-known/boarding-pass-keys",
  service: "query",
  tag: "Boarding passes",
  summary: "Get the keys that boarding passes are signed with",
  description:
    "Whoever has them checks a barcode offline. Behind the last `^` of its message stand `1`, two hexadecimal digits (the length of the signature) and the signature as base64url; what is before the `^` is signed (Ed25519, the UTF-8 bytes). It counts in no limit.",
  scope: null,
  success: { status: 200, body: publicKeysSchema },
} as const satisfies Operation;
