import type { Metadata } from "../booking/events.ts";
import type { TravelPreferences } from "./preferences.ts";

/** Days are `YYYY-MM-DD`, countries ISO 3166-1 alpha-2. */
export interface Passport {
  readonly number: string;
  readonly expiresOn: string;
  readonly issuingCountry: string;
}

/** What a profile says of a traveller. */
export interface PassengerDetails {
  /** As on the passport. */
  readonly firstName: string;
  /** As on the passport. */
  readonly lastName: string;
  /** As it was written last. Unique in the account whatever its case. */
  readonly email: string;
  readonly dateOfBirth: string;
  readonly nationality: string;
  /** Null: not on file. */
  readonly passport: Passport | null;
  /** Loyalty member number. */
  readonly loyaltyNumber: string | null;
  readonly metadata: Metadata;
  readonly preferences: TravelPreferences;
}

/** The form of an e-mail address that is the same for all that count as one. */
export function canonicalEmail(email: string): string {
  return email.toLowerCase();
}
