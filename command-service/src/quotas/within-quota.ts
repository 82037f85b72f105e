import type { ApiRequest, ApiResponse } from "@travel-booking/http";
import { commandRequest } from "../command-handling/command.ts";
import { rejectionResponse } from "../responses.ts";
import type { AccountQuota } from "./account-quota.ts";

/**
 * A handler that takes one unit of a quota if it succeeds. The quota does not refuse a repeated command, because an
 * earlier attempt may have carried it out.
 */
export function withinQuota<Request extends ApiRequest>(
  quota: AccountQuota,
  handle: (request: Request) => Promise<ApiResponse>,
): (request: Request) => Promise<ApiResponse> {
  return async (request) => {
    const { caller, identity } = commandRequest(request);
    if (identity.repeated) return handle(request);
    const grant = await quota.take(caller.accountId);
    if (grant === undefined) return rejectionResponse(quota.rejection);
    // After an error the object may exist, so it counts as used.
    let used = 1;
    try {
      const response = await handle(request);
      if (response.status >= 400) used = 0;
      return response;
    } finally {
      grant.end(used);
    }
  };
}
