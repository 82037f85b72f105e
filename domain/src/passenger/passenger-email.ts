import { accept, assertNever, type Command, type Decider, type DomainEvent, reject } from "../shared/decision.ts";

/** A claim on an e-mail address, and the passenger it was made for. */
export interface PassengerEmailClaim {
  readonly accountId: string;
  /** Names the address's stream inside the account. */
  readonly emailKey: string;
  readonly passengerId: string;
  readonly claimId: string;
}

export type ClaimEmail = Command<"ClaimEmail", PassengerEmailClaim>;
/** A claim that is not held, or no longer held, counts as released. */
export type ReleaseEmail = Command<"ReleaseEmail", PassengerEmailClaim>;
type PassengerEmailCommand = ClaimEmail | ReleaseEmail;

/** The address itself is in no event. Its stream is named by a hash of it. */
export type EmailClaimed = DomainEvent<"EmailClaimed", PassengerEmailClaim>;
export type EmailReleased = DomainEvent<"EmailReleased", PassengerEmailClaim>;
export type PassengerEmailEvent = EmailClaimed | EmailReleased;

/** One e-mail address of an account, and the claims that hold it, all of one passenger. */
type PassengerEmailState =
  | { readonly status: "free" }
  | { readonly status: "held"; readonly passengerId: string; readonly claimIds: readonly string[] };

/**
 * `email_taken` names the passenger that holds the address. `email_claim_open`: as far as is known, that passenger does
 * not have the address yet, or no longer has it.
 */
export type PassengerEmailRejectionCode = "email_taken" | "email_claim_open";

/**
 * The claims on an e-mail address. Several commands may claim it for the same passenger at a time. It is free again
 * when the last of those claims is released.
 */
export const passengerEmailDecider: Decider<
  PassengerEmailCommand,
  PassengerEmailState,
  PassengerEmailEvent,
  PassengerEmailRejectionCode
> = {
  initialState: () => ({ status: "free" }),
  decide({ type, ...claim }, state, at) {
    const isHeld = state.status === "held" && state.claimIds.includes(claim.claimId);
    switch (type) {
      case "ClaimEmail": {
        if (isHeld) return accept();
        if (state.status === "held" && state.passengerId !== claim.passengerId) {
          return reject("email_taken", { passengerId: state.passengerId });
        }
        return accept({ type: "EmailClaimed", at, data: claim });
      }
      case "ReleaseEmail":
        return isHeld ? accept({ type: "EmailReleased", at, data: claim }) : accept();
      default:
        return assertNever(type);
    }
  },
  evolve(state, { type, data: { passengerId, claimId } }) {
    const claimIds = state.status === "held" ? state.claimIds.filter((held) => held !== claimId) : [];
    if (type === "EmailClaimed") return { status: "held", passengerId, claimIds: [...claimIds, claimId] };
    return claimIds.length === 0 ? { status: "free" } : { status: "held", passengerId, claimIds };
  },
  // Folding changes no state in place.
  copy: (state) => state,
  snapshotVersion: 1,
};
