import { getInterfaceOperation, type OpenApiDocument } from "@travel-booking/api-contract";
import type { ApiRequest, ApiResponse, Route } from "@travel-booking/http";
import { baseUrlOf } from "./base-url.ts";
import { staticResponse } from "./static-response.ts";

/** A service is known by few names; whoever makes further ones up is answered without being remembered. */
const MAX_CACHED_BASE_URLS = 8;

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
      const base = baseUrlOf(request);
      const known = answers.get(base);
      if (known !== undefined) return known(request);
      const answer = staticResponse(JSON.stringify(documentAt(base)));
      if (answers.size < MAX_CACHED_BASE_URLS) answers.set(base, answer);
      return answer(request);
    },
  };
}
