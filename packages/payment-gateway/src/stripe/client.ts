import { Stripe } from "stripe";
import type { StripeSettings } from "./settings.ts";

export { Stripe } from "stripe";

/**
 * The version of Stripe's API that the adapter was written for, whatever the account's version is. The next version has
 * no `payment_method_types`, and `error_on_requires_action` is only documented together with it.
 */
const API_VERSION = "2026-08-26.dahlia";
/** Without a byte from Stripe for this long, an answer counts as lost. Asking again is cheap, and waits for it. */
const ANSWERED_WITHIN_MS = 5_000;

/** A client that connects nowhere until it is used. */
export function stripeClient({ secretKey, apiUrl }: StripeSettings): Stripe {
  return new Stripe(secretKey, {
    // The library's type allows only its own version.
    apiVersion: API_VERSION as Stripe.LatestApiVersion,
    timeout: ANSWERED_WITHIN_MS,
    maxNetworkRetries: 0,
    telemetry: false,
    httpClient: askingOnce(Stripe.createNodeHttpClient()),
    ...(apiUrl !== undefined && {
      host: apiUrl.hostname.replace(/^\[|\]$/g, ""),
      port: apiUrl.port || (apiUrl.protocol === "https:" ? "443" : "80"),
      protocol: apiUrl.protocol === "https:" ? "https" : "http",
    }),
  });
}

type HttpClient = ReturnType<typeof Stripe.createNodeHttpClient>;

/**
 * The library repeats a request whose connection was closed, even with retries off. It recognises such an error by its
 * code, so the code is hidden. It also prints Stripe's notices, which do not belong in this service's log.
 */
function askingOnce(client: HttpClient): HttpClient {
  return {
    getClientName: () => client.getClientName(),
    async makeRequest(...request: Parameters<HttpClient["makeRequest"]>) {
      try {
        const response = await client.makeRequest(...request);
        delete (response.getHeaders() as Record<string, unknown>)["stripe-notice"];
        return response;
      } catch (cause) {
        throw new ConnectionFailed("no answer from Stripe", { cause });
      }
    },
  } as HttpClient;
}

/** Stripe did not answer. The error of the connection is the cause. */
export class ConnectionFailed extends Error {
  override readonly name = "ConnectionFailed";
}
