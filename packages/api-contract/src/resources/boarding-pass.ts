import { BOARDING_GROUPS } from "@travel-booking/domain";
import { z } from "zod";
import { oneOf, strictObject } from "../fields/objects.ts";
import { outputId, outputText } from "../fields/text.ts";
import { utcDateTime } from "../fields/time.ts";
import { validationMessage } from "../fields/validation-message.ts";
import { cabin } from "./cabin.ts";
import { MAX_PASSENGERS } from "./seats.ts";

export const BOARDING_PASS_FORMATS = ["pdf", "png", "json"] as const;
export type BoardingPassFormat = (typeof BOARDING_PASS_FORMATS)[number];

/** Whether a passenger's passport is verified, under review, or not there. */
export const DOCUMENT_CHECKS = ["ok", "pending", "missing"] as const;

const position = z
  .int()
  .min(0)
  .max(MAX_PASSENGERS - 1)
  .meta({ format: "int32" });

const barcodeSchema = strictObject({
  format: oneOf(["aztec"]).describe(
    "The symbology to draw it in on a screen; on paper PDF417 carries the same message.",
  ),
  message: outputText(158).describe("What the barcode says: IATA Bar Coded Boarding Pass (Resolution 792)."),
});

export const boardingPassSchema = strictObject({
  passenger: position.describe("The passenger's place on the booking, from 0."),
  passengerName: outputText(200).describe("Full name, as on the travel document."),
  flightId: outputId.describe("The flight."),
  from: outputText(8).describe("Code of the spaceport it departs from."),
  destination: strictObject({ id: outputId, name: outputText(200) }).describe("Where it goes."),
  departsAt: utcDateTime.describe("When it departs."),
  boardingAt: utcDateTime.describe("When boarding begins."),
  cabin,
  seat: outputText(4).describe("Seat number."),
  boardingGroup: oneOf(BOARDING_GROUPS).describe("Groups are called in order, A first."),
  sequence: z.int().min(1).meta({ format: "int32", description: "Number in boarding order, unique on the flight." }),
  memberNumber: outputText(255).nullable().describe("Loyalty number of the saved passenger with this e-mail address."),
  documentCheck: oneOf(DOCUMENT_CHECKS).describe("Boarding needs a verified passport: whether there is one."),
  barcode: barcodeSchema,
}).meta({ id: "BoardingPass", description: "What one passenger boards with." });
export type BoardingPassBody = z.infer<typeof boardingPassSchema>;

export const boardingPassesSchema = strictObject({
  bookingId: outputId.describe("The booking."),
  reference: outputText(64).nullable().describe("The client's own reference, if it sent one."),
  passes: z
    .array(boardingPassSchema)
    .min(1)
    .max(MAX_PASSENGERS)
    .describe("One per passenger asked for, in their order."),
}).meta({ id: "BoardingPasses", description: "Boarding passes of a booking, to be shown in a design of one's own." });
export type BoardingPassesBody = z.infer<typeof boardingPassesSchema>;

export const boardingPassQuerySchema = strictObject({
  format: oneOf(BOARDING_PASS_FORMATS)
    .default("pdf")
    .meta({ default: "pdf", description: "PDF to print, PNG for wallet apps, or the data alone." }),
  passenger: z
    .string({ error: validationMessage })
    .regex(/^(?:0|[1-9]\d*)$/, "must be a whole number of at least 0")
    .max(20, "must have at most 20 digits")
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
