import { getPassengerOperation, listPassengersOperation, type PassengerListQuery } from "@travel-booking/api-contract";
import { canonicalEmail } from "@travel-booking/domain";
import type { ApiRequest, Route } from "@travel-booking/http";
import { ownedKey, PASSENGERS } from "@travel-booking/read-models";
import type { QueryDependencies } from "./dependencies.ts";
import { accountOf, jsonOrNotFound, listPage } from "./reading.ts";

/** Newest first; with `email` one at most. */
export function listPassengers(dependencies: QueryDependencies): Route {
  const { model, byAccount, byEmail } = PASSENGERS.passenger;
  return {
    operation: listPassengersOperation,
    reads: [PASSENGERS.projection],
    async handler(request: ApiRequest<PassengerListQuery>) {
      const accountId = accountOf(request);
      const email = request.query.email && canonicalEmail(request.query.email);
      const list =
        email === undefined
          ? { index: byAccount, partition: accountId }
          : { index: byEmail, partition: ownedKey(accountId, await dependencies.words.emailKey(accountId, email)) };
      const scope = { operationId: listPassengersOperation.id, accountId, filters: { email } };
      return listPage(dependencies, scope, request.query, (range) =>
        dependencies.models.page(model, { ...list, order: "descending", ...range }),
      );
    },
  };
}

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
