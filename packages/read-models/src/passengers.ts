import type { PassengerProfileBody } from "@travel-booking/api-contract";
import { canonicalEmail } from "@travel-booking/domain";
import { parseBody, type ReadModels } from "@travel-booking/engines/read-store";
import { ownedKey } from "./keys.ts";

/** Projection `passengers`: the saved passengers of each account. Deleted ones are removed completely. */
export const PASSENGERS = {
  projection: "passengers",
  version: 1,
  /** By `ownedKey(account, passenger)`. */
  passenger: {
    model: "passengers.passenger",
    /** One partition per account, sorted by when the profile was created. */
    byAccount: "byAccount",
    /** Partition `passengerEmailKey`, sorted in the same way; one profile at most. */
    byEmail: "byEmail",
  },
} as const;

/** The same for all spellings of an address that differ in case only. */
export function passengerEmailKey(accountId: string, email: string): string {
  return ownedKey(accountId, canonicalEmail(email));
}

/** A route that calls this must have the projection `passengers` among its `reads`. */
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
