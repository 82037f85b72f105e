import type { PassengerEvent } from "../passenger/events.ts";
import type { PassengerEmailClaim, PassengerEmailEvent } from "../passenger/passenger-email.ts";
import { type DueTaskChanges, dueTaskKey } from "./due-task.ts";
import { FOLLOW_UP_GRACE, RECOVERY_GRACE } from "./due-task-changes.ts";

const NONE: DueTaskChanges = { opened: [], closed: [] };

/** What an event of an e-mail address opens and closes: a claim is owed a profile that takes it over. */
export function dueTasksOfPassengerEmail({ type, at, data }: PassengerEmailEvent): DueTaskChanges {
  const settling = dueTaskKey("settle_email_claim", data.claimId);
  if (type === "EmailReleased") return { opened: [], closed: [settling, dueTaskKey("release_email", data.claimId)] };
  const task = { kind: "settle_email_claim", ...passengerEmailClaim(data), dueAt: at + RECOVERY_GRACE } as const;
  return { opened: [{ key: settling, dueTask: task }], closed: [] };
}

/** What an event of a saved passenger opens and closes: an address that is given up is owed its release. */
export function dueTasksOfPassenger(event: PassengerEvent): DueTaskChanges {
  switch (event.type) {
    case "PassengerCreated":
      return { opened: [], closed: [dueTaskKey("settle_email_claim", event.data.claim.claimId)] };
    case "PassengerChanged":
    case "PassengerDeleted": {
      const claim = event.type === "PassengerChanged" ? event.data.claim : null;
      const closed = claim === null ? [] : [dueTaskKey("settle_email_claim", claim.claimId)];
      const { passengerId, accountId, freed } = event.data;
      if (freed === null) return { opened: [], closed };
      const task = {
        kind: "release_email",
        ...passengerEmailClaim({ passengerId, accountId, ...freed }),
        dueAt: event.at + FOLLOW_UP_GRACE,
      } as const;
      return { opened: [{ key: dueTaskKey("release_email", freed.claimId), dueTask: task }], closed };
    }
    default:
      return NONE;
  }
}

function passengerEmailClaim({ accountId, emailKey, passengerId, claimId }: PassengerEmailClaim): PassengerEmailClaim {
  return { accountId, emailKey, passengerId, claimId };
}
