import { passengerBody } from "@travel-booking/api-contract/bodies";
import { type CreatedPassenger, evolvePassenger, type PassengerEvent, passengerDecider } from "@travel-booking/domain";
import { positionSort } from "@travel-booking/engines/read-store";
import { ownedKey, PASSENGERS } from "@travel-booking/read-models";
import { type Change, type Documents, foldedModel, type Projection, type Recorded, recorded } from "../projection.ts";

const { model, byAccount, byEmail } = PASSENGERS.passenger;

/** The other events change nothing visible and name no account. */
type VisiblePassengerEvent = Exclude<PassengerEvent, { readonly type: "PassengerAbandoned" | "EmailClaimClosed" }>;

function visibleEvent(event: Recorded<PassengerEvent>): Recorded<VisiblePassengerEvent> | undefined {
  return event.type === "PassengerAbandoned" || event.type === "EmailClaimClosed" ? undefined : event;
}

function keyOf({ data: { accountId, passengerId } }: VisiblePassengerEvent): string {
  return ownedKey(accountId, passengerId);
}

function changes(event: Recorded<VisiblePassengerEvent>, documents: Documents): readonly Change[] {
  const key = keyOf(event);
  if (event.type === "PassengerDeleted") return [{ kind: "delete", model, key, position: event.position }];
  const wasDeleted = event.type === "PassengerErased" && event.data.freed === null;
  if (wasDeleted) return [];
  const before = documents.state<CreatedPassenger>(model, key) ?? passengerDecider.initialState();
  return [{ kind: "fold", model, key, state: evolvePassenger(before, event) }];
}

/** The saved passengers of each account. Of a deleted one only key and position remain. */
export const passengers: Projection = {
  name: PASSENGERS.projection,
  version: PASSENGERS.version,
  models: {
    [model]: foldedModel<CreatedPassenger>([byAccount, byEmail], ({ profile, claim, erased }, { created }) => {
      const { accountId } = profile;
      const sort = positionSort(created);
      return {
        body: JSON.stringify(passengerBody(profile)),
        indexes: {
          [byAccount]: { partition: accountId, sort },
          ...(erased !== true && { [byEmail]: { partition: ownedKey(accountId, claim.emailKey), sort } }),
        },
        staleAt: null,
      };
    }),
  },
  handlers: {
    passenger: {
      reads(event) {
        const known = visibleEvent(recorded<PassengerEvent>(event));
        return known === undefined ? [] : [{ model, key: keyOf(known) }];
      },
      apply(event, documents) {
        const known = visibleEvent(recorded<PassengerEvent>(event));
        return known === undefined ? [] : changes(known, documents);
      },
    },
  },
};
