import { type ApiResponse, unavailable } from "@travel-booking/http";
import { OperatorError, type OperatorRoute, operatorRoute } from "@travel-booking/http/operator";
import type { Part } from "@travel-booking/service-host";

const WHY = "The service is started to be looked at only, and changes nothing; nothing was attempted.";

const REFUSED: ApiResponse = unavailable("read_only", WHY, 3_600);

/** A read would change something, such as the boarding pass of a passenger who has no seat yet. */
class ReadOnly extends Error {
  /** As in `unavailableResponse`. */
  get unavailable() {
    return ["read_only", WHY] as const;
  }
}

/** The part of a process that changes nothing: read models alone may be built anew. */
export function readOnlyPart<Given extends Part>(part: Given): Given {
  const { operatorRoutes = [] } = part;
  return { ...part, plainRoutes: [], refuseWrite: () => REFUSED, operatorRoutes: operatorRoutes.map(onlyReading) };
}

/** @throws ReadOnly */
export function assignsNoSeats(): Promise<never> {
  return Promise.reject(new ReadOnly(WHY));
}

/** These POSTs change nothing that is stored. */
const CHANGES_NOTHING = /\/(?:names|preview|rebuild)$/;

function onlyReading(route: OperatorRoute): OperatorRoute {
  const { method, path } = route;
  if (method === "GET" || CHANGES_NOTHING.test(path)) return route;
  return operatorRoute(method, path, async () => {
    throw new OperatorError(503, "the service is started with READ_ONLY: it changes nothing");
  });
}
