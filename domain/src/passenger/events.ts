import type { DomainEvent } from "../shared/decision.ts";
import type { PassengerDetails } from "./details.ts";

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
/** Only what differs, each with its whole new value. */
export type PassengerChanged = DomainEvent<
  "PassengerChanged",
  {
    readonly passengerId: string;
    readonly accountId: string;
    readonly changes: Partial<PassengerDetails>;
    /** Taken over with a new address; null where it is the same, or differs in case alone. */
    readonly claim: EmailClaim | null;
    /** Of the address before, to be released; null unless there is a new one. */
    readonly freed: EmailClaim | null;
  }
>;
/** `freed`: of its address, to be released. */
export type PassengerDeleted = DomainEvent<
  "PassengerDeleted",
  { readonly passengerId: string; readonly accountId: string; readonly freed: EmailClaim }
>;
/** The stream is closed before anything was created: nothing can be created here any more. */
export type PassengerAbandoned = DomainEvent<"PassengerAbandoned", { readonly passengerId: string }>;
/** The profile will not take over this claim any more. */
export type EmailClaimClosed = DomainEvent<
  "EmailClaimClosed",
  { readonly passengerId: string; readonly claimId: string }
>;

export type PassengerEvent =
  | PassengerCreated
  | PassengerChanged
  | PassengerDeleted
  | PassengerAbandoned
  | EmailClaimClosed;
