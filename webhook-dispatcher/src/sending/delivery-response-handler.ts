import type { Dispatcher } from "undici";
import { explainFailure } from "./explain-failure.ts";
import type { DeliveryResponse } from "./outcome.ts";

/** So much of an answer's body is read, for that long, so that its connection can be used again. Real time. */
const READ_BYTES = 64 * 1024;
const READ_WITHIN_MS = 1_000;

/** Below it an answer is not the one that is waited for (RFC 9110 §15.2). */
const FIRST_FINAL_STATUS = 200;

/**
 * One request and its answer, as undici tells of them. Redirects are not followed; the body of the answer is of no
 * interest: it is read to a bound, and whatever becomes of it, the answer has been given.
 */
export class DeliveryResponseHandler implements Dispatcher.DispatchHandler {
  readonly #done = Promise.withResolvers<DeliveryResponse>();
  #controller: Dispatcher.DispatchController | undefined;
  #response: DeliveryResponse | undefined;
  #abortReason: Error | undefined;
  #readBytes = 0;
  #reading: NodeJS.Timeout | undefined;

  /** Rejects with the reason where it is broken off before there is one. */
  get response(): Promise<DeliveryResponse> {
    return this.#done.promise;
  }

  /** Ends it, however far it is. */
  abort(reason: unknown): void {
    if (this.#response === undefined) this.#done.reject(reason);
    this.#close("broken off");
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#abortReason !== undefined) controller.abort(this.#abortReason);
  }

  onResponseStart(_: unknown, status: number, { "retry-after": retryAfter }: Headers): void {
    if (status < FIRST_FINAL_STATUS) return;
    this.#response = {
      kind: "answered",
      status,
      retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
    };
    this.#reading = setTimeout(() => this.#close("enough time for a body"), READ_WITHIN_MS);
  }

  onResponseData(_: unknown, chunk: Uint8Array): void {
    this.#readBytes += chunk.length;
    if (this.#readBytes > READ_BYTES) this.#close("enough of a body");
  }

  onResponseEnd(): void {
    this.#end();
  }

  onResponseError(_: unknown, error: Error): void {
    this.#end(error);
  }

  /** The connection can't be used again. */
  #close(why: string): void {
    this.#abortReason = new Error(why);
    this.#controller?.abort(this.#abortReason);
  }

  #end(error?: Error): void {
    clearTimeout(this.#reading);
    this.#done.resolve(this.#response ?? { kind: "unanswered", error: explainFailure(error) });
  }
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;
