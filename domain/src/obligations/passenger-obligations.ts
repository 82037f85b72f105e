import type { PassengerEvent } from "../passenger/events.ts";
import type { OwnedClaim, PassengerEmailEvent } from "../passenger-email/decider.ts";
import { type ObligationChanges, obligationKey } from "./obligation.ts";
import { FOLLOW_UP_GRACE, RECOVERY_GRACE } from "./obligation-changes.ts";

const NONE: ObligationChanges = { opened: [], closed: [] };

/** What an event of an e-mail address opens and closes: a claim is owed a profile that takes it over. */
export function obligationsOfPassengerEmail({ type, at, data }: PassengerEmailEvent): ObligationChanges {
  const settling = obligationKey("settle_email_claim", data.claimId);
  if (type === "EmailReleased") return { opened: [], closed: [settling, obligationKey("release_email", data.claimId)] };
  const obligation = { kind: "settle_email_claim", ...ownedClaim(data), dueAt: at + RECOVERY_GRACE } as const;
  return { opened: [{ key: settling, obligation }], closed: [] };
}

/** What an event of a saved passenger opens and closes: an address that is given up is owed its release. */
export function obligationsOfPassenger(event: PassengerEvent): ObligationChanges {
  switch (event.type) {
    case "PassengerCreated":
      return { opened: [], closed: [obligationKey("settle_email_claim", event.data.claim.claimId)] };
    case "PassengerChanged":
    case "PassengerDeleted": {
      const claim = event.type === "PassengerChanged" ? event.data.claim : null;
      const closed = claim === null ? [] : [obligationKey("settle_email_claim", claim.claimId)];
      const { passengerId, accountId, freed } = event.data;
      if (freed === null) return { opened: [], closed };
      const obligation = {
        kind: "release_email",
        ...ownedClaim({ passengerId, accountId, ...freed }),
        dueAt: event.at + FOLLOW_UP_GRACE,
      } as const;
      return { opened: [{ key: obligationKey("release_email", freed.claimId), obligation }], closed };
    }
    default:
      return NONE;
  }
}

function ownedClaim({ accountId, emailKey, passengerId, claimId }: OwnedClaim): OwnedClaim {
  return { accountId, emailKey, passengerId, claimId };
}
