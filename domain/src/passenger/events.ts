import type { DomainEvent } from "../shared/decision.ts";
import type { Metadata } from "../shared/metadata.ts";

/** Where a traveller likes to sit (docs/rules.md#travel-preferences). */
export const SEAT_PREFERENCES = ["window", "middle", "aisle", "any"] as const;
type SeatPreference = (typeof SEAT_PREFERENCES)[number];

export const MEALS = [
  "standard",
  "vegetarian",
  "vegan",
  "halal",
  "kosher",
  "hindu",
  "gluten_free",
  "diabetic",
  "low_lactose",
  "child",
] as const;
type Meal = (typeof MEALS)[number];

export interface TravelPreferences {
  /** Used when seats are assigned automatically. */
  readonly seat: SeatPreference;
  readonly meal: Meal;
  /** A cryosleep pod on journeys longer than a year. */
  readonly cryosleep: boolean;
}

/** Defaults (docs/rules.md#travel-preferences). */
export const DEFAULT_PREFERENCES: TravelPreferences = { seat: "any", meal: "standard", cryosleep: false };

/** Days are `YYYY-MM-DD`, countries ISO 3166-1 alpha-2. */
export interface Passport {
  readonly number: string;
  readonly expiresOn: string;
  readonly issuingCountry: string;
}

/** The data of a profile. */
export interface PassengerDetails {
  /** As on the passport. */
  readonly firstName: string;
  /** As on the passport. */
  readonly lastName: string;
  /** As last written. Unique in the account, letter case ignored. */
  readonly email: string;
  readonly dateOfBirth: string;
  readonly nationality: string;
  /** Null: none is stored. */
  readonly passport: Passport | null;
  /** Loyalty member number. */
  readonly loyaltyNumber: string | null;
  readonly metadata: Metadata;
  readonly preferences: TravelPreferences;
}

/** The form in which e-mail addresses are compared. */
export function canonicalEmail(email: string): string {
  return email.toLowerCase();
}

/** The right of one profile to one e-mail address, claimed in a stream of the address's own. */
export interface EmailClaim {
  /** The command that claimed it. */
  readonly claimId: string;
  /** Names the address's stream inside the account. */
  readonly emailKey: string;
}

export type PassengerCreated = DomainEvent<
  "PassengerCreated",
  PassengerDetails & { readonly passengerId: string; readonly accountId: string; readonly claim: EmailClaim }
>;
/** Only the fields that differ, each with its whole new value. */
export type PassengerChanged = DomainEvent<
  "PassengerChanged",
  {
    readonly passengerId: string;
    readonly accountId: string;
    readonly changes: Partial<PassengerDetails>;
    /** Taken over with a new address; null if the address is the same, or differs only in case. */
    readonly claim: EmailClaim | null;
    /** The claim on the former address, to be released; null unless there is a new address. */
    readonly freed: EmailClaim | null;
  }
>;
/** `freed`: the claim on its address, to be released. */
export type PassengerDeleted = DomainEvent<
  "PassengerDeleted",
  { readonly passengerId: string; readonly accountId: string; readonly freed: EmailClaim }
>;
/** The stream is closed before anything was created, so nothing can be created here any more. */
export type PassengerAbandoned = DomainEvent<"PassengerAbandoned", { readonly passengerId: string }>;
/** The profile can no longer take over this claim. */
export type EmailClaimClosed = DomainEvent<
  "EmailClaimClosed",
  { readonly passengerId: string; readonly claimId: string }
>;

/**
 * The profile's personal words are gone for good: their key is destroyed after this event. `freed`: the claim on its
 * address, to be released; null if the profile was already deleted.
 */
export type PassengerErased = DomainEvent<
  "PassengerErased",
  { readonly passengerId: string; readonly accountId: string; readonly freed: EmailClaim | null }
>;

export type PassengerEvent =
  | PassengerCreated
  | PassengerChanged
  | PassengerDeleted
  | PassengerErased
  | PassengerAbandoned
  | EmailClaimClosed;
