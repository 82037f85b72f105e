import { type LoyaltyTransactionQuery, listLoyaltyTransactionsOperation } from "@travel-booking/api-contract";
import { type ApiRequest, pageResponse, type Route } from "@travel-booking/http";
import { LOYALTY, ownedKey } from "@travel-booking/read-models";
import type { QueryDependencies } from "../query-dependencies.ts";
import { accountOf } from "../reading/account-of.ts";

/** The account's movements of points, newest first; of one type, where one is asked for. */
export function listLoyaltyTransactions({ models, cursors }: QueryDependencies): Route {
  const { model, byAccount, byAccountAndType } = LOYALTY.transaction;
  return {
    operation: listLoyaltyTransactionsOperation,
    reads: [LOYALTY.projection],
    handler(request: ApiRequest<LoyaltyTransactionQuery>) {
      const accountId = accountOf(request);
      const { type, limit, cursor } = request.query;
      const list =
        type === undefined
          ? { index: byAccount, partition: accountId }
          : { index: byAccountAndType, partition: ownedKey(accountId, type) };
      return pageResponse({
        cursors,
        scope: {
          operationId: listLoyaltyTransactionsOperation.id,
          accountId,
          filters: type === undefined ? {} : { type },
        },
        limit,
        cursor,
        read: (count, after) =>
          models.page(model, {
            ...list,
            order: "descending",
            limit: count,
            ...(after === undefined ? {} : { after }),
          }),
      });
    },
  };
}
