import type { Dispatcher } from "undici";
import type { Answer } from "./answer.ts";
import type { Connections } from "./connections.ts";
import { explainFailure } from "./explain-failure.ts";

/** Real time: looking the name up, connecting, sending and the answer, all in all (decisions, "Events and webhooks"). */
export const ATTEMPT_WITHIN_MS = 15_000;
/** So much of an answer's body is read, for that long, so that its connection can be used again. */
const READ_BYTES = 64 * 1024;
const READ_WITHIN_MS = 1_000;

/** A signed delivery whose address has been checked. */
export interface Sendable {
  readonly endpointId: string;
  readonly url: URL;
  readonly addresses: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/**
 * Posts to a receiver and waits for its answer. Redirects are not followed; the body of the answer is of no interest.
 * @throws the signal's reason when it aborts.
 */
export async function send(connections: Connections, sendable: Sendable, signal: AbortSignal): Promise<Answer> {
  const { endpointId, url, addresses, headers, body } = sendable;
  try {
    const response = await connections.to(endpointId, url, addresses).request({
      method: "POST",
      path: url.pathname + url.search,
      headers,
      body: Buffer.from(body.buffer, body.byteOffset, body.byteLength),
      signal,
    });
    await readTheRest(response.body);
    const retryAfter = response.headers["retry-after"];
    return {
      kind: "answered",
      status: response.statusCode,
      retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
    };
  } catch (error) {
    signal.throwIfAborted();
    connections.moveOn(endpointId, url, addresses);
    return { kind: "unanswered", error: explainFailure(error) };
  }
}

/** To a bound; whatever becomes of it, the answer has been given. */
async function readTheRest(body: Dispatcher.ResponseData["body"]): Promise<void> {
  const timer = setTimeout(() => body.destroy(), READ_WITHIN_MS);
  await body.dump({ limit: READ_BYTES }).catch(() => undefined);
  clearTimeout(timer);
}
