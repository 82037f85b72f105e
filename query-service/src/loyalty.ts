import {
  getLoyaltyAccountOperation,
  type LoyaltyTransactionQuery,
  listLoyaltyTransactionsOperation,
} from "@travel-booking/api-contract";
import type { ApiRequest, Route } from "@travel-booking/http";
import { LOYALTY, ownedKey } from "@travel-booking/read-models";
import type { QueryDependencies } from "./dependencies.ts";
import { accountOf, jsonOrNotFound, listPage } from "./reading.ts";

/** Every account has one; 404 only before the projection has seen the account's opening. */
export function getLoyaltyAccount({ models }: QueryDependencies): Route {
  return {
    operation: getLoyaltyAccountOperation,
    reads: [LOYALTY.projection],
    async handler(request: ApiRequest) {
      return jsonOrNotFound((await models.body(LOYALTY.account.model, accountOf(request)))?.json, "loyalty account");
    },
  };
}

/** Newest first. */
export function listLoyaltyTransactions(dependencies: QueryDependencies): Route {
  const { model, byAccount, byAccountAndType } = LOYALTY.transaction;
  return {
    operation: listLoyaltyTransactionsOperation,
    reads: [LOYALTY.projection],
    handler(request: ApiRequest<LoyaltyTransactionQuery>) {
      const accountId = accountOf(request);
      const { type } = request.query;
      const list =
        type === undefined
          ? { index: byAccount, partition: accountId }
          : { index: byAccountAndType, partition: ownedKey(accountId, type) };
      const scope = { operationId: listLoyaltyTransactionsOperation.id, accountId, filters: { type } };
      return listPage(dependencies, scope, request.query, (range) =>
        dependencies.models.page(model, { ...list, order: "descending", ...range }),
      );
    },
  };
}
