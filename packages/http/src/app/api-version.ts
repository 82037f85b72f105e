import { API_VERSIONS } from "@travel-booking/api-contract";
import { errorResponse } from "../errors/error-response.ts";
import type { ApiRequest } from "../route.ts";

export const UNKNOWN_VERSION_PROBLEM = `Service-Version must be one of ${API_VERSIONS.join(", ")}`;
export const UNKNOWN_VERSION = errorResponse(400, [UNKNOWN_VERSION_PROBLEM]);

/** A version of the API, if that is what it names. */
export function knownVersion(named: string | readonly string[] | undefined): string | undefined {
  return API_VERSIONS.find((version) => version === named);
}

/** Whether a request asks for a version of the API there is not. */
export function asksForUnknown(request: Pick<ApiRequest, "header">): boolean {
  const asked = request.header("service-version");
  return asked !== undefined && knownVersion(asked) === undefined;
}
