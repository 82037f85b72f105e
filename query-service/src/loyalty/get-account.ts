import { getLoyaltyAccountOperation } from "@travel-booking/api-contract";
import type { ApiRequest, Route } from "@travel-booking/http";
import { LOYALTY } from "@travel-booking/read-models";
import type { QueryDependencies } from "../query-dependencies.ts";
import { accountOf } from "../reading/account-of.ts";
import { jsonOrNotFound } from "../reading/json-or-not-found.ts";

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
