import type { Readable } from "node:stream";
import type { ConnectionPools } from "./connection-pools.ts";
import { explainFailure, failedWithoutResponse, isOurOwn, type Outcome, outcomeOf } from "./outcome.ts";

/** A signed delivery whose addresses have been checked. */
interface SignedDelivery {
  readonly endpointId: string;
  readonly url: URL;
  readonly addresses: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/**
 * Posts to a receiver and waits for its response. Redirects are not followed. Only the beginning of the body is kept.
 * Once there is a status, a failure to read the body does not change the outcome.
 * @throws the signal's reason when it aborts before there is a response.
 * @throws Error this process or machine could not send, which is no fault of the receiver.
 */
export async function post(
  connections: ConnectionPools,
  { endpointId, url, addresses, headers, body }: SignedDelivery,
  signal: AbortSignal,
): Promise<Outcome> {
  const pool = connections.poolFor(endpointId, url, addresses);
  try {
    const request = pool.request({
      method: "POST",
      path: url.pathname + url.search,
      headers,
      body: Buffer.from(body.buffer, body.byteOffset, body.byteLength),
      signal,
    });
    // undici itself obeys the signal once there is a connection.
    const response = await unlessAborted(request, signal);
    const { statusCode: status, headers: received } = response;
    const retryAfter = [received["retry-after"]].flat()[0];
    return outcomeOf({ status, retryAfter, excerpt: await beginningOf(response.body) }, Date.now());
  } catch (error) {
    signal.throwIfAborted();
    if (isOurOwn(error)) throw error;
    connections.useNextAddress(endpointId, url, addresses);
    return failedWithoutResponse(explainFailure(error));
  }
}

/** @throws the signal's reason when it aborts first. */
export function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort, { once: true });
  return Promise.race([work, aborted]);
}

/** Real time to read the body of a response. It is read so that the connection can be reused. */
const MAX_BODY_MS = 1_000;
/** Bytes of a body that are kept, to show an operator the receiver's text. */
const MAX_EXCERPT_BYTES = 500;

async function beginningOf(body: Readable): Promise<string> {
  let beginning = Buffer.alloc(0);
  // This closes the connection, so it can't be reused.
  const timer = setTimeout(() => body.destroy(), MAX_BODY_MS);
  try {
    for await (const chunk of body) {
      if (beginning.length >= MAX_EXCERPT_BYTES) continue;
      beginning = Buffer.concat([beginning, chunk]).subarray(0, MAX_EXCERPT_BYTES);
    }
  } catch {
    // The part read so far is enough.
  } finally {
    clearTimeout(timer);
  }
  return beginning.toString();
}
