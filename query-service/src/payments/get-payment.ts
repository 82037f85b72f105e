import { getPaymentOperation } from "@travel-booking/api-contract";
import type { ApiRequest, Route } from "@travel-booking/http";
import { BOOKINGS, ownedKey } from "@travel-booking/read-models";
import type { QueryDependencies } from "../query-dependencies.ts";
import { accountOf } from "../reading/account-of.ts";
import { freshBody } from "../reading/fresh-body.ts";
import { jsonOrNotFound } from "../reading/json-or-not-found.ts";
import { currentPaymentJson } from "./current-payment.ts";

/** A payment with its refunds. */
export function getPayment(dependencies: QueryDependencies): Route {
  return {
    operation: getPaymentOperation,
    reads: [BOOKINGS.projection],
    matchFirst: true,
    async handler(request: ApiRequest) {
      const key = ownedKey(accountOf(request), request.params.id ?? "");
      return jsonOrNotFound(await freshBody(dependencies, BOOKINGS.payment.model, key, currentPaymentJson), "payment");
    },
  };
}
