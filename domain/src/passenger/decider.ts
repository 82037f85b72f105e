import { assertNever } from "../shared/assert-never.ts";
import { accept, type Decider, type Instant, reject } from "../shared/decision.ts";
import { changePassenger } from "./change-passenger.ts";
import type { CloseEmailClaim, CreatePassenger, DeletePassenger, PassengerCommand } from "./commands.ts";
import type { PassengerEvent } from "./events.ts";
import type { PassengerDecision, PassengerRejectionCode } from "./rejections.ts";
import { detailsProblem, mergeMetadata } from "./rules.ts";
import { evolvePassenger, holdsEmailClaim, type PassengerState, profileOf } from "./state.ts";

/** A saved passenger. That nobody else has its e-mail address is decided before, where the address is claimed. */
export const passengerDecider: Decider<PassengerCommand, PassengerState, PassengerEvent, PassengerRejectionCode> = {
  initialState: () => ({ status: "none" }),
  decide(command, state, at) {
    switch (command.type) {
      case "CreatePassenger":
        return createPassenger(command, state, at);
      case "ChangePassenger":
        return changePassenger(command, state, at);
      case "DeletePassenger":
        return deletePassenger(command, state, at);
      case "CloseEmailClaim":
        return closeEmailClaim(command, state, at);
      default:
        return assertNever(command);
    }
  },
  evolve: evolvePassenger,
};

function createPassenger(command: CreatePassenger, state: PassengerState, at: Instant): PassengerDecision {
  if (state.status === "abandoned") return reject("passenger_abandoned");
  if (state.status === "created") return accept();
  const { passengerId, accountId, claim } = command;
  const details = { ...command.details, metadata: mergeMetadata([], command.details.metadata) };
  const problem = detailsProblem(details, at);
  if (problem !== undefined) return reject(problem);
  return accept({ type: "PassengerCreated", at, data: { passengerId, accountId, ...details, claim } });
}

function deletePassenger({ accountId }: DeletePassenger, state: PassengerState, at: Instant): PassengerDecision {
  const profile = profileOf(state, accountId);
  if (profile === undefined || state.status !== "created") return reject("profile_not_found");
  return accept({ type: "PassengerDeleted", at, data: { passengerId: profile.id, accountId, freed: state.claim } });
}

/** A profile that was never created is closed against its creation: nothing else could take the claim over. */
function closeEmailClaim(command: CloseEmailClaim, state: PassengerState, at: Instant): PassengerDecision {
  const { passengerId, claimId } = command;
  if (state.status === "none") return accept({ type: "PassengerAbandoned", at, data: { passengerId } });
  if (state.status === "abandoned" || state.profile.deleted) return accept();
  if (holdsEmailClaim(state, claimId) || state.closedClaims.includes(claimId)) return accept();
  return accept({ type: "EmailClaimClosed", at, data: { passengerId, claimId } });
}
