import { getPassengerOperation } from "@travel-booking/api-contract";
import type { ApiRequest, Route } from "@travel-booking/http";
import { ownedKey, PASSENGERS } from "@travel-booking/read-models";
import type { QueryDependencies } from "../query-dependencies.ts";
import { accountOf } from "../reading/account-of.ts";
import { jsonOrNotFound } from "../reading/json-or-not-found.ts";

export function getPassenger({ models }: QueryDependencies): Route {
  return {
    operation: getPassengerOperation,
    reads: [PASSENGERS.projection],
    async handler(request: ApiRequest) {
      const key = ownedKey(accountOf(request), request.params.id ?? "");
      return jsonOrNotFound((await models.body(PASSENGERS.passenger.model, key))?.json, "passenger");
    },
  };
}
