import { passengerBody } from "@travel-booking/api-contract/bodies";
import {
  type CreatedPassenger,
  evolvePassenger,
  type PassengerEvent,
  type PassengerState,
  passengerDecider,
} from "@travel-booking/domain";
import { ownedKey, PASSENGERS } from "@travel-booking/read-models";
import { foldingHandler, type Projection, placesByCreation } from "../projection.ts";

const { model, byAccount, byEmail } = PASSENGERS.passenger;

/** The key of the visible document; undefined if the event changes nothing visible. */
function keyOfVisible({ type, data }: PassengerEvent): string | undefined {
  const wasDeleted = type === "PassengerErased" && data.freed === null;
  // A profile without an account was never shown.
  return wasDeleted || !("accountId" in data) ? undefined : ownedKey(data.accountId, data.passengerId);
}

/** The saved passengers of each account. Only key and position remain of a deleted passenger. */
export const passengers: Projection = {
  name: PASSENGERS.projection,
  version: PASSENGERS.version,
  models: {
    [model]: {
      represent({ profile, claim, erased }: CreatedPassenger, { created }) {
        const { accountId } = profile;
        const found = erased === true ? {} : { [byEmail]: ownedKey(accountId, claim.emailKey) };
        const indexes = placesByCreation(created, { [byAccount]: accountId, ...found });
        return { body: passengerBody(profile), indexes };
      },
    },
  },
  handlers: {
    passenger: foldingHandler<PassengerState, PassengerEvent>(
      model,
      keyOfVisible,
      (before = passengerDecider.initialState(), event) =>
        event.type === "PassengerDeleted" ? undefined : evolvePassenger(before, event),
    ),
  },
};
