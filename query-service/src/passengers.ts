import { getPassengerOperation, listPassengersOperation, type PassengerListQuery } from "@travel-booking/api-contract";
import { canonicalEmail } from "@travel-booking/domain";
import type { ApiRequest, Route } from "@travel-booking/http";
import { ownedKey, PASSENGERS } from "@travel-booking/read-models";
import type { QueryDependencies } from "./dependencies.ts";
import { accountOf, jsonOrNotFound, listPage } from "./reading.ts";

const { model, byAccount, byEmail } = PASSENGERS.passenger;
const reads = [PASSENGERS.projection];

/** Saved passengers. Lists are newest first. With `email`, a list has at most one. */
export function passengerRoutes(dependencies: QueryDependencies): readonly Route[] {
  const { models, words } = dependencies;
  return [
    {
      operation: listPassengersOperation,
      reads,
      async handler(request: ApiRequest<PassengerListQuery>) {
        const accountId = accountOf(request);
        const email = request.query.email && canonicalEmail(request.query.email);
        const list =
          email === undefined
            ? { index: byAccount, partition: accountId }
            : { index: byEmail, partition: ownedKey(accountId, await words.keys.emailKey(accountId, email)) };
        const scope = { operationId: listPassengersOperation.id, accountId, filters: { email } };
        return listPage(dependencies, scope, request.query, (range) =>
          models.page(model, { ...list, order: "descending", ...range }),
        );
      },
    },
    {
      operation: getPassengerOperation,
      reads,
      async handler(request: ApiRequest) {
        const key = ownedKey(accountOf(request), request.params.id ?? "");
        return jsonOrNotFound((await models.body(model, key))?.json, "passenger");
      },
    },
  ];
}
