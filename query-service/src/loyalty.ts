import {
  getLoyaltyAccountOperation,
  type LoyaltyTransactionQuery,
  listLoyaltyTransactionsOperation,
} from "@travel-booking/api-contract";
import { type ApiRequest, type Route, unavailable } from "@travel-booking/http";
import { LOYALTY, ownedKey } from "@travel-booking/read-models";
import type { QueryDependencies } from "./dependencies.ts";
import { accountOf, listPage } from "./reading.ts";

const NOT_YET_OPENED = unavailable("not_yet_readable", "The account is not readable yet; try again.");

/** Every account has one; 503 only before the projection has seen the account's opening. */
export function getLoyaltyAccount({ models }: QueryDependencies): Route {
  return {
    operation: getLoyaltyAccountOperation,
    reads: [LOYALTY.projection],
    async handler(request: ApiRequest) {
      const account = await models.body(LOYALTY.account.model, accountOf(request));
      return account === undefined ? NOT_YET_OPENED : { status: 200, json: account.json };
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
