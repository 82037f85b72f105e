import type { Dispatcher } from "undici";
import type { ConnectionPools } from "./connection-pools.ts";
import { explainFailure, failedWithoutResponse, type Outcome, outcomeOf } from "./outcome.ts";

/** A signed delivery whose addresses have been checked. */
interface SignedDelivery {
  readonly endpointId: string;
  readonly url: URL;
  readonly addresses: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/**
 * Posts to a receiver and waits for its response.
 * @throws the signal's reason when it aborts before there is a response.
 */
export async function post(
  connections: ConnectionPools,
  { endpointId, url, addresses, headers, body }: SignedDelivery,
  signal: AbortSignal,
): Promise<Outcome> {
  signal.throwIfAborted();
  const handler = new ResponseHandler();
  signal.addEventListener("abort", () => handler.abort(signal.reason), { once: true });
  connections.poolFor(endpointId, url, addresses).dispatch(
    {
      method: "POST",
      path: url.pathname + url.search,
      headers,
      body: Buffer.from(body.buffer, body.byteOffset, body.byteLength),
    },
    handler,
  );
  const outcome = await handler.outcome;
  if (outcome.responseStatus === null) connections.useNextAddress(endpointId, url, addresses);
  return outcome;
}

/** For the body of a response, which is read so that the connection can be reused. Real time. */
const MAX_BODY_MS = 1_000;
/** What is kept of it, to tell an operator what the receiver says. */
const MAX_EXCERPT_BYTES = 500;

/** Lower statuses are interim responses (RFC 9110 §15.2). */
const FIRST_FINAL_STATUS = 200;

/**
 * Handles one request for undici. Redirects are not followed. All but the beginning of the body is dropped: once there is a
 * status, a failure to read the body does not change the outcome.
 */
class ResponseHandler implements Dispatcher.DispatchHandler {
  readonly #done = Promise.withResolvers<Outcome>();
  #controller: Dispatcher.DispatchController | undefined;
  #response: { readonly status: number; readonly retryAfter: string | undefined } | undefined;
  #abortReason: Error | undefined;
  #excerpt = Buffer.alloc(0);
  #bodyTimer: NodeJS.Timeout | undefined;

  /** Rejects with the reason of an abort that comes before the response. */
  get outcome(): Promise<Outcome> {
    return this.#done.promise;
  }

  abort(reason: unknown): void {
    if (this.#response === undefined) this.#done.reject(reason);
    this.#close("aborted");
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#abortReason !== undefined) controller.abort(this.#abortReason);
  }

  onResponseStart(
    _: unknown,
    status: number,
    { "retry-after": retryAfter }: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (status < FIRST_FINAL_STATUS) return;
    this.#response = { status, retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter };
    this.#bodyTimer = setTimeout(() => this.#close("enough time for a body"), MAX_BODY_MS);
  }

  onResponseData(_: unknown, chunk: Uint8Array): void {
    if (this.#excerpt.length < MAX_EXCERPT_BYTES) {
      this.#excerpt = Buffer.concat([this.#excerpt, chunk]).subarray(0, MAX_EXCERPT_BYTES);
    }
  }

  onResponseEnd(): void {
    this.#end();
  }

  onResponseError(_: unknown, error: Error): void {
    this.#end(error);
  }

  /** Closes the connection, which can't be reused. */
  #close(why: string): void {
    this.#abortReason = new Error(why);
    this.#controller?.abort(this.#abortReason);
  }

  #end(error?: Error): void {
    clearTimeout(this.#bodyTimer);
    const outcome =
      this.#response === undefined
        ? failedWithoutResponse(explainFailure(error))
        : outcomeOf({ ...this.#response, excerpt: this.#excerpt.toString() }, Date.now());
    this.#done.resolve(outcome);
  }
}
