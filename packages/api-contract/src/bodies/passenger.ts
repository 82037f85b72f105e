import type { PassengerProfileState } from "@travel-booking/domain";
import type { PassengerProfileBody } from "../resources/passenger.ts";
import { timestamp } from "./timestamp.ts";

export function passengerBody(profile: PassengerProfileState): PassengerProfileBody {
  const { id, firstName, lastName, email, dateOfBirth, nationality, passport, loyaltyNumber, preferences } = profile;
  return {
    id,
    firstName,
    lastName,
    email,
    dateOfBirth,
    nationality,
    passport,
    loyaltyNumber,
    metadata: Object.fromEntries(profile.metadata),
    preferences,
    createdAt: timestamp(profile.createdAt),
    updatedAt: timestamp(profile.updatedAt),
  };
}
