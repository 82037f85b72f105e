import type { Decision } from "../shared/decision.ts";
import type { PassengerEvent } from "./events.ts";

export type PassengerRejectionCode =
  | "profile_not_found"
  | "passenger_abandoned"
  | "born_in_future"
  | "too_much_metadata"
  /** A new address needs a claim on it first. */
  | "email_not_claimed"
  | "email_claim_closed";

export type PassengerDecision = Decision<PassengerEvent, PassengerRejectionCode>;
