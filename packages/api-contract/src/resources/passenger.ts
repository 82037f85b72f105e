import { DEFAULT_PREFERENCES, MEALS, SEAT_PREFERENCES } from "@travel-booking/domain";
import { z } from "zod";
import { email } from "../fields/email.ts";
import { metadata, metadataChanges, outputMetadata } from "../fields/metadata.ts";
import { oneOf, strictObject } from "../fields/objects.ts";
import { outputId, outputText, text } from "../fields/text.ts";
import { date, utcDateTime } from "../fields/time.ts";
import { validationMessage } from "../fields/validation-message.ts";
import { pageParameters } from "./page.ts";

const MAX_NAME = 100;
const MAX_NUMBER = 64;

/** ISO 3166-1 alpha-2. */
const country = z
  .string({ error: validationMessage })
  .regex(/^[A-Z]{2}$/, "must be an ISO 3166-1 alpha-2 country code, such as NZ")
  .meta({ maxLength: 2, description: "An ISO 3166-1 alpha-2 country code." });

const name = text({ max: MAX_NAME, blank: "refused" });
const number = text({ max: MAX_NUMBER, blank: "refused" });

const preferences = {
  seat: oneOf(SEAT_PREFERENCES).describe("The preferred seat, used when seats are assigned automatically."),
  meal: oneOf(MEALS).describe("The meal served on board."),
  cryosleep: z
    .boolean({ error: validationMessage })
    .describe("Prefers a cryosleep pod on journeys longer than a year."),
};
const preferencesSchema = strictObject(preferences).meta({
  id: "TravelPreferences",
  description: "What the passenger likes on board.",
});

/** `expiresOn` is compared with a departure where documents are checked, not here. */
const passportSchema = strictObject({
  number: number.describe("The number of the passport."),
  expiresOn: date.describe("The last day it is valid; six months after departure it still must be."),
  issuingCountry: country,
}).meta({ id: "Passport", description: "A passport as it is on file." });

export const passengerProfileSchema = strictObject({
  id: outputId.describe("Identifies the passenger."),
  firstName: outputText(MAX_NAME).describe("As on the passport."),
  lastName: outputText(MAX_NAME).describe("As on the passport."),
  email: outputText(254).describe("As it was written last; unique in the account whatever its case."),
  dateOfBirth: date.describe("The day the passenger was born."),
  nationality: country,
  passport: passportSchema.nullable().describe("Null when none is on file."),
  loyaltyNumber: outputText(MAX_NUMBER).nullable().describe("The loyalty member number; null when there is none."),
  metadata: outputMetadata,
  preferences: preferencesSchema,
  createdAt: utcDateTime.describe("When the profile was saved."),
  updatedAt: utcDateTime.describe("When it was changed last."),
}).meta({ id: "PassengerProfile", description: "A passenger saved for bookings to come." });
export type PassengerProfileBody = z.infer<typeof passengerProfileSchema>;

/** Whether `dateOfBirth` lies in the past is decided with the profile, for it takes a clock. */
const fields = {
  firstName: name.describe("As on the passport."),
  lastName: name.describe("As on the passport."),
  email: email.describe("Unique in the account, whatever its case."),
  dateOfBirth: date.describe("The day the passenger was born; not in the future."),
  nationality: country,
  passport: passportSchema.nullable().describe("Null: none is on file."),
  loyaltyNumber: number.nullable().describe("The loyalty member number; null: there is none."),
};

export const createPassengerSchema = strictObject({
  ...fields,
  passport: fields.passport.default(null),
  loyaltyNumber: fields.loyaltyNumber.default(null),
  metadata: metadata.default({}),
  preferences: preferencesSchema.default(DEFAULT_PREFERENCES),
}).meta({ id: "CreatePassenger", description: "A passenger to be saved." });
export type CreatePassengerRequest = z.infer<typeof createPassengerSchema>;

/** How many keys of metadata there are after merging is checked with the profile. */
export const changePassengerSchema = strictObject({
  ...fields,
  metadata: metadataChanges,
  preferences: strictObject(preferences).partial().meta({ description: "Only the preferences to change." }),
})
  .partial()
  .meta({ id: "ChangePassenger", description: "Only what changes; a field left out stays as it is." });
export type ChangePassengerRequest = z.infer<typeof changePassengerSchema>;

export const passengerListQuerySchema = strictObject({
  ...pageParameters,
  email: email.describe("Only the passenger with this e-mail address, whatever its case.").optional(),
});
export type PassengerListQuery = z.infer<typeof passengerListQuerySchema>;
