import type {
  CreatePassenger,
  EmailClaim,
  PassengerChanged,
  PassengerCreated,
  PassengerDeleted,
  PassengerDetails,
} from "../../src/index.ts";

export const T0 = Date.parse("2027-01-04T10:00:00Z");
export const accountId = "acc_1";
export const passengerId = "psg_1";

export const FIRST: EmailClaim = { claimId: "c1", emailKey: "ada" };
export const SECOND: EmailClaim = { claimId: "c2", emailKey: "countess" };

export const details: PassengerDetails = {
  firstName: "Ada",
  lastName: "Lovelace",
  email: "Ada@example.com",
  dateOfBirth: "1985-12-10",
  nationality: "GB",
  passport: { number: "L898902C3", expiresOn: "2034-04-15", issuingCountry: "NZ" },
  loyaltyNumber: null,
  metadata: [
    ["a", "1"],
    ["b", "2"],
  ],
  preferences: { seat: "window", meal: "standard", cryosleep: false },
};

export function creation(more: Partial<PassengerDetails> = {}): CreatePassenger {
  return { type: "CreatePassenger", passengerId, accountId, details: { ...details, ...more }, claim: FIRST };
}

export function created(more: Partial<PassengerDetails> = {}): PassengerCreated {
  return {
    type: "PassengerCreated",
    at: T0,
    data: { passengerId, accountId, ...details, ...more, claim: FIRST },
  };
}

export function changed(
  changes: Partial<PassengerDetails>,
  at = T0 + 1,
  claims: { readonly claim: EmailClaim | null; readonly freed: EmailClaim | null } = { claim: null, freed: null },
): PassengerChanged {
  return { type: "PassengerChanged", at, data: { passengerId, accountId, changes, ...claims } };
}

export function deleted(at = T0 + 9, freed = FIRST): PassengerDeleted {
  return { type: "PassengerDeleted", at, data: { passengerId, accountId, freed } };
}
