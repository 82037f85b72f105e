import type { PassengerProfileBody } from "@travel-booking/api-contract";
import { parseBody, type ReadModels } from "@travel-booking/engines/read-store";
import { ownedKey } from "./keys.ts";

/** Projection `passengers`: the saved passengers of each account. Deleted ones are removed completely. */
export const PASSENGERS = {
  projection: "passengers",
  version: 5,
  /** By `ownedKey(account, passenger)`. */
  passenger: {
    model: "passengers.passenger",
    /** One partition per account, sorted by when the profile was created. */
    byAccount: "byAccount",
    /** Partition `ownedKey(account, e-mail key)`, sorted in the same way; one profile at most. */
    byEmail: "byEmail",
  },
  /** State: when it was last used. By passenger id, deleted ones included, until it is erased. */
  kept: {
    model: "passengers.kept",
    /** Partition `ALL_PARTITION`, by `timeSortKey` of the last use and the id. */
    oldest: "oldest",
  },
} as const;

/** Finds by `SealedWords.emailKey`. A route that calls this must have the projection `passengers` in its `reads`. */
export async function findPassengerByEmail(
  models: Pick<ReadModels, "page">,
  accountId: string,
  emailKey: string,
): Promise<PassengerProfileBody | undefined> {
  const { model, byEmail: index } = PASSENGERS.passenger;
  const partition = ownedKey(accountId, emailKey);
  const [found] = await models.page(model, { index, partition, order: "descending", limit: 1 });
  return found && parseBody<PassengerProfileBody>(found);
}
