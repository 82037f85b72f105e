import { getEventOperation } from "@travel-booking/api-contract";
import type { ApiRequest, Route } from "@travel-booking/http";
import { EVENTS } from "@travel-booking/read-models";
import type { QueryDependencies } from "../query-dependencies.ts";
import { accountOf } from "../reading/account-of.ts";
import { jsonOrNotFound } from "../reading/json-or-not-found.ts";
import { findEvent } from "./find-event.ts";

/**
 * An event, whether or not it is listed yet: whoever has its id was sent it, and instances may know of the read models'
 * progress one after another.
 */
export function getEvent(dependencies: QueryDependencies): Route {
  return {
    operation: getEventOperation,
    reads: [EVENTS.projection],
    async handler(request: ApiRequest) {
      return jsonOrNotFound(await findEvent(dependencies, accountOf(request), request.params.id ?? ""), "event");
    },
  };
}
