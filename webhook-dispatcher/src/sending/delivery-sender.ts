import { checkTarget } from "@travel-booking/webhooks/targets";
import type { DispatcherContext } from "../dispatcher-options.ts";
import type { ConnectionPools } from "./connection-pools.ts";
import type { ResolvedEndpoint } from "./endpoint-resolver.ts";
import { failedWithoutResponse, type Outcome } from "./outcome.ts";
import { post, unlessAborted } from "./post.ts";
import { sign } from "./sign.ts";

/** Real time for everything: look-up, connection, request and response (docs/rules.md#delivery-attempts). */
const ATTEMPT_TIMEOUT_MS = 15_000;

const USER_AGENT = "TravelBookingService/1.0 (webhooks)";

/** This text is for the owner of the endpoint, who can fix it. */
const SECRET_UNREADABLE = "the endpoint's secret or its headers can no longer be read: create the endpoint anew";

/** An event and the endpoint to send it to. */
interface DeliveryRequest extends Omit<ResolvedEndpoint, "maxPerSecond"> {
  readonly eventId: string;
  /** The event's JSON, byte for byte. */
  readonly body: Uint8Array;
}

export interface AttemptResult {
  readonly outcome: Outcome;
  /** The value of `Service-Signature`; empty if nothing could be signed. */
  readonly signature: string;
  /** Real time. */
  readonly durationMs: number;
}

interface DeliverySenderOptions extends Pick<DispatcherContext, "targets" | "resolve" | "attemptTimeoutMs"> {
  readonly connections: ConnectionPools;
}

/** Whether the attempt may still be made. It is checked last, immediately before sending. */
export type PreSendCheck = () => Promise<boolean> | boolean;

class DeadlineExceeded extends Error {}

/** Makes attempts: signs, resolves the host name, checks the addresses, sends. */
export class DeliverySender {
  readonly #options: DeliverySenderOptions;

  constructor(options: DeliverySenderOptions) {
    this.#options = options;
  }

  /**
   * Makes one attempt; undefined if `mayStart` refused it.
   * @throws the signal's reason when it aborts. The outcome of the attempt is then unknown.
   */
  async attempt(
    delivery: DeliveryRequest,
    mayStart: PreSendCheck,
    signal: AbortSignal,
    timeoutMs = this.#options.attemptTimeoutMs ?? ATTEMPT_TIMEOUT_MS,
  ): Promise<AttemptResult | undefined> {
    if (delivery.secrets === undefined)
      return { outcome: failedWithoutResponse(SECRET_UNREADABLE), signature: "", durationMs: 0 };
    const from = performance.now();
    // The receiver compares the time with its own clock, not with the sandbox clock.
    const { headers: signed, signature } = sign(delivery.secrets, delivery.eventId, delivery.body, Date.now());
    const resultOf = (outcome: Outcome) => ({ outcome, signature, durationMs: Math.round(performance.now() - from) });
    // Not `AbortSignal.timeout`, because its timers can't be cleared, and there are thousands of attempts a second.
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(new DeadlineExceeded()), timeoutMs);
    const abandon = () => limit.abort(signal.reason);
    if (signal.aborted) abandon();
    signal.addEventListener("abort", abandon);
    try {
      const { endpointId, body } = delivery;
      const checked = await unlessAborted(checkTarget(delivery.url, this.#options), limit.signal);
      if (checked.kind !== "allowed") return resultOf(failedWithoutResponse(`the URL ${checked.reason}`));
      if (!(await mayStart())) return undefined;
      const { url, addresses } = checked;
      const headers = { ...delivery.headers, "content-type": "application/json", "user-agent": USER_AGENT, ...signed };
      const request = { endpointId, url, addresses, headers, body };
      return resultOf(await post(this.#options.connections, request, limit.signal));
    } catch (error) {
      if (!(error instanceof DeadlineExceeded)) throw error;
      return resultOf(failedWithoutResponse(`the endpoint did not answer within ${timeoutMs / 1_000} seconds`));
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", abandon);
    }
  }
}
