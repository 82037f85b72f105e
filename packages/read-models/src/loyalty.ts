import type { LoyaltySummary } from "@travel-booking/api-contract/bodies";
import { type Tier, tierOf } from "@travel-booking/domain";
import type { ReadModels } from "@travel-booking/engines/read-store";

/** Projection `loyalty`: the points of accounts. */
export const LOYALTY = {
  projection: "loyalty",
  version: 3,
  /** By account id, from the opening of every account on. The state is `LoyaltySummary`. */
  account: { model: "loyalty.account" },
  /** By `ownedKey(account, transaction)`. */
  transaction: {
    model: "loyalty.transaction",
    /** One partition per account, in the order they were posted. */
    byAccount: "byAccount",
    /** Partition `ownedKey(account, type)`. */
    byAccountAndType: "byAccountAndType",
  },
} as const;

/** The tier of an account. If the projection `loyalty` does not know the account yet, the lowest tier. */
export async function tierOfAccount(models: Pick<ReadModels, "document">, accountId: string): Promise<Tier> {
  const document = await models.document(LOYALTY.account.model, accountId);
  return tierOf((document?.state as LoyaltySummary | undefined)?.lifetimePoints ?? 0);
}
