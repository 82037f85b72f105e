import { passengerBody } from "@travel-booking/api-contract/bodies";
import {
  type CreatedPassenger,
  evolvePassenger,
  type PassengerEvent,
  type PassengerState,
  passengerDecider,
} from "@travel-booking/domain";
import { ownedKey, PASSENGERS } from "@travel-booking/read-models";
import { foldedModel, foldingHandler, type Projection, placesByCreation } from "../projection.ts";

const { model, byAccount, byEmail } = PASSENGERS.passenger;

/** The saved passengers of each account. Of a deleted one only key and position remain. */
export const passengers: Projection = {
  name: PASSENGERS.projection,
  version: PASSENGERS.version,
  models: {
    [model]: foldedModel<CreatedPassenger>(({ profile, claim, erased }, { created }) => {
      const { accountId } = profile;
      const found = erased === true ? {} : { [byEmail]: ownedKey(accountId, claim.emailKey) };
      const indexes = placesByCreation(created, { [byAccount]: accountId, ...found });
      return { body: JSON.stringify(passengerBody(profile)), indexes };
    }),
  },
  handlers: {
    passenger: foldingHandler<PassengerState, PassengerEvent>(
      model,
      // The others change nothing visible and name no account.
      ({ data }) => ("accountId" in data ? ownedKey(data.accountId, data.passengerId) : undefined),
      (before = passengerDecider.initialState(), event) =>
        event.type === "PassengerDeleted" ? undefined : evolvePassenger(before, event),
    ),
  },
};
