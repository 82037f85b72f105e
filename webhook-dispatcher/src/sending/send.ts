import type { Answer } from "./answer.ts";
import type { Connections } from "./connections.ts";
import { Exchange } from "./exchange.ts";
import type { TimeLimit } from "./time-limit.ts";

/** A signed delivery whose address has been checked. */
export interface Sendable {
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
export async function send(connections: Connections, sendable: Sendable, limit: TimeLimit): Promise<Answer> {
  const { endpointId, url, addresses, headers, body } = sendable;
  limit.check();
  const exchange = new Exchange();
  limit.whenOver((reason) => exchange.breakOff(reason));
  connections.to(endpointId, url, addresses).dispatch(
    {
      method: "POST",
      path: url.pathname + url.search,
      headers,
      body: Buffer.from(body.buffer, body.byteOffset, body.byteLength),
    },
    exchange,
  );
  const answer = await exchange.answer;
  if (answer.kind === "unanswered") connections.moveOn(endpointId, url, addresses);
  return answer;
}
