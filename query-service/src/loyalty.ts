import {
  getLoyaltyAccountOperation,
  type LoyaltyTransactionQuery,
  listLoyaltyTransactionsOperation,
} from "@travel-booking/api-contract";
import { type ApiRequest, pageResponse, type Route } from "@travel-booking/http";
import { LOYALTY, ownedKey } from "@travel-booking/read-models";
import type { QueryDependencies } from "./dependencies.ts";
import { accountOf, jsonOrNotFound } from "./reading.ts";

/** The account's points and tier. There is one for every account, so none is found only before its opening is read. */
export function getLoyaltyAccount({ models }: QueryDependencies): Route {
  return {
    operation: getLoyaltyAccountOperation,
    reads: [LOYALTY.projection],
    async handler(request: ApiRequest) {
      return jsonOrNotFound((await models.body(LOYALTY.account.model, accountOf(request)))?.json, "loyalty account");
    },
  };
}

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
