import { API_VERSIONS } from "@travel-booking/api-contract";
import { errorResponse } from "../errors/error-response.ts";
import type { ApiRequest } from "../route.ts";

export const UNSUPPORTED_VERSION_PROBLEM = `Service-Version must be one of ${API_VERSIONS.join(", ")}`;
export const UNSUPPORTED_VERSION = errorResponse(400, [UNSUPPORTED_VERSION_PROBLEM]);

/** A version of the API, if that is what it names. */
export function supportedVersion(named: string | readonly string[] | undefined): string | undefined {
  return API_VERSIONS.find((version) => version === named);
}

/** Whether a request asks for a version of the API there is not. */
export function requestsUnsupportedVersion(request: Pick<ApiRequest, "header">): boolean {
  const asked = request.header("service-version");
  return asked !== undefined && supportedVersion(asked) === undefined;
}
