import {
  getLoyaltyAccountOperation,
  type LoyaltyTransactionQuery,
  listLoyaltyTransactionsOperation,
} from "@travel-booking/api-contract";
import { type ApiRequest, type Route, unavailable } from "@travel-booking/http";
import { LOYALTY, ownedKey } from "@travel-booking/read-models";
import type { QueryDependencies } from "./dependencies.ts";
import { accountOf, listPage } from "./reading.ts";

const { account, transaction } = LOYALTY;
const reads = [LOYALTY.projection];
const NOT_YET_OPENED = unavailable("not_yet_readable", "The account is not readable yet; try again.");

/** Every account has points. A 503 comes only before the projection knows the account. Lists are newest first. */
export function loyaltyRoutes(dependencies: QueryDependencies): readonly Route[] {
  const { models } = dependencies;
  return [
    {
      operation: getLoyaltyAccountOperation,
      reads,
      async handler(request: ApiRequest) {
        const found = await models.body(account.model, accountOf(request));
        return found === undefined ? NOT_YET_OPENED : { status: 200, json: found.json };
      },
    },
    {
      operation: listLoyaltyTransactionsOperation,
      reads,
      handler(request: ApiRequest<LoyaltyTransactionQuery>) {
        const accountId = accountOf(request);
        const { type } = request.query;
        const list =
          type === undefined
            ? { index: transaction.byAccount, partition: accountId }
            : { index: transaction.byAccountAndType, partition: ownedKey(accountId, type) };
        const scope = { operationId: listLoyaltyTransactionsOperation.id, accountId, filters: { type } };
        return listPage(dependencies, scope, request.query, (range) =>
          models.page(transaction.model, { ...list, order: "descending", ...range }),
        );
      },
    },
  ];
}
