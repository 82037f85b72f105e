import type { PassengerChanged, PassengerDeleted, PassengerErased } from "../passenger/events.ts";
import type { PassengerEmailClaim } from "../passenger/passenger-email.ts";
import { holdsEmailClaim } from "../passenger/state.ts";
import { dueTask, FOLLOW_UP_GRACE, type ProcessDefinition, RECOVERY_GRACE } from "./process.ts";
import { execute, faultPoint, type Saga } from "./saga.ts";

const settleEmailClaimTask = dueTask({
  kind: "settle_email_claim",
  ofRequest: true,
  openedBy: { EmailClaimed: ({ at, data }) => ({ ...claimOf(data), dueAt: at + RECOVERY_GRACE }) },
  closedBy: {
    PassengerCreated: ({ data }) => data.claim.claimId,
    PassengerChanged: ({ data }) => data.claim?.claimId ?? [],
    EmailReleased: ({ data }) => data.claimId,
  },
  key: ({ claimId }) => claimId,
  run: (claim) => settleEmailClaim(claim),
});

const releaseEmailTask = dueTask({
  kind: "release_email",
  openedBy: { PassengerChanged: freedClaim, PassengerDeleted: freedClaim, PassengerErased: freedClaim },
  closedBy: { EmailReleased: ({ data }) => data.claimId },
  key: ({ claimId }) => claimId,
  run: (claim) => releaseEmail(claim),
});

/**
 * Releases a claim that its profile has not taken over. First closes the profile against the claim. After that neither
 * a slow nor a repeated request can take it over, so no profile without a claim on its address can appear. Idempotent.
 */
export function* settleEmailClaim(claim: PassengerEmailClaim): Saga {
  const { passengerId, claimId } = claim;
  const command = { type: "CloseEmailClaim", passengerId, claimId } as const;
  const closed = yield* execute("passenger", passengerId, command, (passenger) => holdsEmailClaim(passenger, claimId));
  yield* faultPoint("passenger:closed");
  if (closed.reply !== true) yield* releaseEmail(claim);
}

/** Releases a claim that no profile can take over any more. Idempotent. */
export function* releaseEmail(claim: PassengerEmailClaim): Saga {
  const { accountId, emailKey } = claim;
  yield* execute("passengerEmail", passengerEmailId(accountId, emailKey), { type: "ReleaseEmail", ...claimOf(claim) });
  yield* faultPoint("passenger:released");
}

/** An address is claimed per account. */
export function passengerEmailId(accountId: string, emailKey: string): string {
  return `${accountId}-${emailKey}`;
}

type Freeing = PassengerChanged | PassengerDeleted | PassengerErased;

function freedClaim({ at, data: { passengerId, accountId, freed } }: Freeing) {
  return freed === null ? undefined : { ...claimOf({ passengerId, accountId, ...freed }), dueAt: at + FOLLOW_UP_GRACE };
}

function claimOf({ accountId, emailKey, passengerId, claimId }: PassengerEmailClaim): PassengerEmailClaim {
  return { accountId, emailKey, passengerId, claimId };
}

export const savePassenger = {
  name: "save a passenger",
  steps:
    "its e-mail address is claimed, profile takes the claim over, the address before is released " +
    "([0016](decisions/0016-each-e-mail-address-has-its-own-stream.md))",
  undoneBy: "profile's stream is closed against the claim, then that is released",
  tasks: [settleEmailClaimTask, releaseEmailTask],
} as const satisfies ProcessDefinition;
