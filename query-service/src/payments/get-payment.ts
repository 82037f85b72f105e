import { getPaymentOperation } from "@travel-booking/api-contract";
import type { ApiRequest, Route } from "@travel-booking/http";
import { BOOKINGS, ownedKey } from "@travel-booking/read-models";
import type { QueryDependencies } from "../query-dependencies.ts";
import { accountOf } from "../reading/account-of.ts";
import { found } from "../reading/found.ts";
import { timelyBody } from "../reading/timely.ts";
import { paymentNow } from "./payment-now.ts";

/** A payment with its refunds. */
export function getPayment(dependencies: QueryDependencies): Route {
  return {
    operation: getPaymentOperation,
    reads: [BOOKINGS.projection],
    hot: true,
    async handler(request: ApiRequest) {
      const key = ownedKey(accountOf(request), request.params.id ?? "");
      return found(await timelyBody(dependencies, BOOKINGS.payment.model, key, paymentNow), "payment");
    },
  };
}
