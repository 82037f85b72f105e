import type { ConnectionPools } from "./connection-pools.ts";
import type { Deadline } from "./deadline.ts";
import { DeliveryResponseHandler } from "./delivery-response-handler.ts";
import type { DeliveryResponse } from "./outcome.ts";

/** A signed delivery whose address has been checked. */
export interface SignedDelivery {
  readonly endpointId: string;
  readonly url: URL;
  readonly addresses: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/**
 * Posts to a receiver and waits for its answer.
 * @throws OutOfTime, or what it was abandoned for.
 */
export async function send(
  connections: ConnectionPools,
  sendable: SignedDelivery,
  limit: Deadline,
): Promise<DeliveryResponse> {
  const { endpointId, url, addresses, headers, body } = sendable;
  limit.check();
  const exchange = new DeliveryResponseHandler();
  limit.onEnd((reason) => exchange.abort(reason));
  connections.poolFor(endpointId, url, addresses).dispatch(
    {
      method: "POST",
      path: url.pathname + url.search,
      headers,
      body: Buffer.from(body.buffer, body.byteOffset, body.byteLength),
    },
    exchange,
  );
  const answer = await exchange.response;
  if (answer.kind === "unanswered") connections.useNextAddress(endpointId, url, addresses);
  return answer;
}
