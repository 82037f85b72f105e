import type { PassengerProfileBody } from "@travel-booking/api-contract";
import { canonicalEmail } from "@travel-booking/domain";
import { parseBody, type ReadModels } from "@travel-booking/engines/read-store";
import { ownedKey } from "./bookings.ts";

/** Projection `passengers`: the saved passengers of each account. Nothing is left of one that is deleted. */
export const PASSENGERS = {
  projection: "passengers",
  /** By `ownedKey(account, passenger)`. */
  passenger: {
    model: "passengers.passenger",
    /** One partition per account, sorted by when the profile was created. */
    byAccount: "byAccount",
    /** Partition `passengerEmailKey`, sorted in the same way; one profile at most. */
    byEmail: "byEmail",
  },
} as const;

/** Where the profile with an e-mail address stands, whatever the address's case. */
export function passengerEmailKey(accountId: string, email: string): string {
  return ownedKey(accountId, canonicalEmail(email));
}

/**
 * The account's profile with this e-mail address; undefined where there is none. As fresh as the projection
 * `passengers` is: a route that answers from it names that among its `reads`.
 */
export async function findPassengerByEmail(
  models: Pick<ReadModels, "page">,
  accountId: string,
  email: string,
): Promise<PassengerProfileBody | undefined> {
  const { model, byEmail: index } = PASSENGERS.passenger;
  const partition = passengerEmailKey(accountId, email);
  const [found] = await models.page(model, { index, partition, order: "descending", limit: 1 });
  return found && parseBody<PassengerProfileBody>(found);
}
