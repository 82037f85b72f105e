import { DEFAULT_PREFERENCES, MEALS, SEAT_PREFERENCES } from "@travel-booking/domain";
import { z } from "zod";
import {
  date,
  email,
  MAX_EMAIL,
  metadata,
  metadataChanges,
  outputId,
  outputMetadata,
  outputText,
  text,
  utcDateTime,
} from "../fields.ts";
import type { Operation } from "../operation.ts";
import { listOf, pageParameters } from "./page.ts";

const MAX_NAME = 100;
const MAX_NUMBER = 64;

const country = z
  .string()
  .regex(/^[A-Z]{2}$/, "must be an ISO 3166-1 alpha-2 country code, such as NZ")
  .meta({ maxLength: 2, description: "An ISO 3166-1 alpha-2 country code." });

const name = text({ max: MAX_NAME, blank: "refused", line: true });
const number = text({ max: MAX_NUMBER, blank: "refused", line: true });

const preferences = {
  seat: z
    .enum(SEAT_PREFERENCES)
    .meta({ id: "SeatPreference", description: "The preferred seat, used when seats are assigned automatically." }),
  meal: z.enum(MEALS).meta({ id: "Meal", description: "The meal served on board." }),
  cryosleep: z.boolean().describe("Prefers a cryosleep pod on journeys longer than a year."),
};
const preferencesSchema = z.strictObject(preferences).meta({
  id: "TravelPreferences",
  description: "What the passenger likes on board.",
});

/** `expiresOn` is compared with departures when documents are checked. */
const passportSchema = z
  .strictObject({
    number: number.describe("The number of the passport."),
    expiresOn: date.describe("The last day it is valid; six months after departure it still must be."),
    issuingCountry: country,
  })
  .meta({ id: "Passport", description: "A passport as it is on file." });

const passengerProfileSchema = z
  .strictObject({
    id: outputId.describe("Identifies the passenger."),
    firstName: outputText(MAX_NAME).describe("As on the passport."),
    lastName: outputText(MAX_NAME).describe("As on the passport."),
    email: outputText(MAX_EMAIL).describe("As it was written last; unique in the account whatever its case."),
    dateOfBirth: date.describe("The day the passenger was born."),
    nationality: country,
    passport: passportSchema.nullable().describe("Null when none is on file."),
    loyaltyNumber: outputText(MAX_NUMBER).nullable().describe("The loyalty member number; null when there is none."),
    metadata: outputMetadata,
    preferences: preferencesSchema,
    createdAt: utcDateTime.describe("When the profile was saved."),
    updatedAt: utcDateTime.describe("When it was changed last."),
  })
  .meta({ id: "PassengerProfile", description: "A passenger saved for bookings to come." });
export type PassengerProfileBody = z.infer<typeof passengerProfileSchema>;

/** The domain checks that `dateOfBirth` is in the past, because that takes a clock. */
const fields = {
  firstName: name.describe("As on the passport."),
  lastName: name.describe("As on the passport."),
  email: email.describe("Unique in the account, whatever its case."),
  dateOfBirth: date.describe("The day the passenger was born; not in the future."),
  nationality: country,
  passport: passportSchema.nullable().describe("Null: none is on file."),
  loyaltyNumber: number.nullable().describe("The loyalty member number; null: there is none."),
};

export const createPassengerSchema = z
  .strictObject({
    ...fields,
    passport: fields.passport.default(null).describe("Null or left out: none is on file."),
    loyaltyNumber: fields.loyaltyNumber
      .default(null)
      .describe("The loyalty member number; null or left out: there is none."),
    metadata: metadata.default({}),
    preferences: preferencesSchema
      .default(DEFAULT_PREFERENCES)
      .describe("What the passenger likes on board; left out: any seat, the standard meal, no cryosleep."),
  })
  .meta({ id: "CreatePassenger", description: "A passenger to be saved." });
export type CreatePassengerRequest = z.infer<typeof createPassengerSchema>;

/** The domain checks the number of keys after `metadata` is merged. */
export const changePassengerSchema = z
  .strictObject({
    ...fields,
    metadata: metadataChanges,
    preferences: z.strictObject(preferences).partial().meta({ description: "Only the preferences to change." }),
  })
  .partial()
  .meta({ id: "ChangePassenger", description: "Only what changes; a field left out stays as it is." });
export type ChangePassengerRequest = z.infer<typeof changePassengerSchema>;

const passengerListQuerySchema = z.strictObject({
  ...pageParameters,
  email: email.describe("Only the passenger with this e-mail address, whatever its case.").optional(),
});
export type PassengerListQuery = z.infer<typeof passengerListQuerySchema>;

const NO_PASSENGER = { 404: ["profile_not_found"] } as const;
const UNFIT_PASSENGER = { 400: ["born_in_future", "too_much_metadata"], 409: ["email_taken"] } as const;

export const createPassengerOperation = {
  id: "createPassenger",
  method: "POST",
  path: "/v1/passengers",
  service: "command",
  tag: "Passengers",
  summary: "Save a passenger profile",
  description:
    "An e-mail address is unique in the account, whatever its case. `preferences`, when sent, is complete. An account has a quota of passengers; 403 when it is reached.",
  scope: "passengers:write",
  body: createPassengerSchema,
  idempotencyKey: "accepted",
  success: { status: 201, body: passengerProfileSchema },
  errors: { ...UNFIT_PASSENGER, 403: ["quota_exceeded"] },
} as const satisfies Operation;

export const listPassengersOperation = {
  id: "listPassengers",
  method: "GET",
  path: "/v1/passengers",
  service: "query",
  tag: "Passengers",
  summary: "List passenger profiles, newest first",
  description: "With `email`, only the passenger with this address, whatever its case.",
  scope: "passengers:read",
  query: passengerListQuerySchema,
  success: { status: 200, body: listOf(passengerProfileSchema) },
  errors: { 400: ["invalid_cursor"] },
} as const satisfies Operation;

export const getPassengerOperation = {
  id: "getPassenger",
  method: "GET",
  path: "/v1/passengers/{id}",
  service: "query",
  tag: "Passengers",
  summary: "Get a passenger profile",
  scope: "passengers:read",
  success: { status: 200, body: passengerProfileSchema },
  errors: NO_PASSENGER,
} as const satisfies Operation;

export const changePassengerOperation = {
  id: "changePassenger",
  method: "PATCH",
  path: "/v1/passengers/{id}",
  service: "command",
  tag: "Passengers",
  summary: "Change a passenger profile",
  description:
    "Fields that are left out keep their value. `passport: null` removes the passport. `metadata` is merged into what is there, and an empty value removes its key; at most 20 keys may be left. `preferences` may hold only those to change.",
  scope: "passengers:write",
  body: changePassengerSchema,
  idempotencyKey: "accepted",
  success: { status: 200, body: passengerProfileSchema },
  errors: { ...NO_PASSENGER, ...UNFIT_PASSENGER, 409: [...UNFIT_PASSENGER[409], "too_many_changes"] },
} as const satisfies Operation;

export const deletePassengerOperation = {
  id: "deletePassenger",
  method: "DELETE",
  path: "/v1/passengers/{id}",
  service: "command",
  tag: "Passengers",
  summary: "Delete a passenger profile",
  description: "Its e-mail address is free again. Bookings the passenger is on are unaffected.",
  scope: "passengers:write",
  success: { status: 204, body: null },
  errors: NO_PASSENGER,
} as const satisfies Operation;
