import { getInterfaceOperation, type OpenApiDocument } from "@travel-booking/api-contract";
import type { ApiRequest, ApiResponse, Route } from "@travel-booking/http";
import { baseOf } from "./base-address.ts";
import { unchanging } from "./unchanging.ts";

/** A service is known by few names; whoever makes further ones up is answered without being remembered. */
const MOST_NAMES = 8;

/**
 * The interface description, for programs. A link out of it has to be absolute, so there is one for each address the
 * service is asked under.
 * @param documentAt makes the document as it is served under a base address.
 */
export function getInterface(documentAt: (baseUrl: string) => OpenApiDocument): Route {
  const answers = new Map<string, (request: ApiRequest) => ApiResponse>();
  return {
    operation: getInterfaceOperation,
    handler(request: ApiRequest) {
      const base = baseOf(request);
      const known = answers.get(base);
      if (known !== undefined) return known(request);
      const answer = unchanging(JSON.stringify(documentAt(base)));
      if (answers.size < MOST_NAMES) answers.set(base, answer);
      return answer(request);
    },
  };
}
