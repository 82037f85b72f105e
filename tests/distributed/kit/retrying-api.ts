import { ApiClient, type ApiClientResponse } from "../../support/api-client.ts";
import { retryWhileStale } from "../../support/retry-while-stale.ts";

/** A client that asks again when it is told that what it wrote is not yet readable. */
export class RetryingApi extends ApiClient {
  override call<Body = never>(...request: Parameters<ApiClient["call"]>): Promise<ApiClientResponse<Body>> {
    return retryWhileStale(() => super.call<Body>(...request));
  }
}
