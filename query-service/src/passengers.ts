import { getPassengerOperation, listPassengersOperation, type PassengerListQuery } from "@travel-booking/api-contract";
import { canonicalEmail } from "@travel-booking/domain";
import { type ApiRequest, pageResponse, type Route } from "@travel-booking/http";
import { ownedKey, PASSENGERS, passengerEmailKey } from "@travel-booking/read-models";
import type { QueryDependencies } from "./dependencies.ts";
import { accountOf, jsonOrNotFound } from "./reading.ts";

/** The account's saved passengers, newest first; with `email` the one that has it, if there is one. */
export function listPassengers({ models, cursors }: QueryDependencies): Route {
  const { model, byAccount, byEmail } = PASSENGERS.passenger;
  return {
    operation: listPassengersOperation,
    reads: [PASSENGERS.projection],
    handler(request: ApiRequest<PassengerListQuery>) {
      const accountId = accountOf(request);
      const { limit, cursor } = request.query;
      const email = request.query.email && canonicalEmail(request.query.email);
      const list =
        email === undefined
          ? { index: byAccount, partition: accountId }
          : { index: byEmail, partition: passengerEmailKey(accountId, email) };
      return pageResponse({
        cursors,
        scope: { operationId: listPassengersOperation.id, accountId, filters: { email } },
        limit,
        cursor,
        read: (limit, after) =>
          models.page(model, { ...list, order: "descending", limit, ...(after === undefined ? {} : { after }) }),
      });
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
