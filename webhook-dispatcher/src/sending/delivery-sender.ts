import { type HostnameTarget, type Resolve, resolveAndCheck, type TargetCheck } from "@travel-booking/webhooks/targets";
import type { ConnectionPools } from "./connection-pools.ts";
import { Deadline, DeadlineExceeded } from "./deadline.ts";
import { failedWithoutResponse, type Outcome, outcomeOf } from "./outcome.ts";
import { send } from "./send.ts";
import { type SigningKeys, sign } from "./sign.ts";

/** Real time: looking the name up, connecting, sending and the answer, all in all (docs/rules.md#delivery-attempts). */
const ATTEMPT_TIMEOUT_MS = 15_000;

/** An event, and who it is to be sent to. */
export interface DeliveryRequest {
  readonly endpointId: string;
  readonly target: TargetCheck | HostnameTarget;
  /** Undefined: nothing can be signed, so nothing is sent. */
  readonly keys: SigningKeys | undefined;
  readonly eventId: string;
  /** The event's JSON, byte for byte. */
  readonly body: Uint8Array;
}

/** An attempt that was made. */
export interface AttemptResult {
  readonly outcome: Outcome;
  /** The value of `Service-Signature`; empty where nothing could be signed. */
  readonly signature: string;
  /** Real time. */
  readonly durationMs: number;
}

export interface DeliverySenderOptions {
  readonly connections: ConnectionPools;
  /** `WEBHOOK_ALLOW_PRIVATE_TARGETS`. */
  readonly allowPrivate: boolean;
  readonly resolve?: Resolve;
  /** Milliseconds of real time; 15,000 unless told. */
  readonly timeoutMs?: number;
}

/** Whether the attempt may still be made: asked last, when nothing is left to wait for. */
export type PreSendCheck = () => Promise<boolean> | boolean;

/** Makes attempts: sign, look the name up, check the addresses, send. */
export class DeliverySender {
  readonly #options: DeliverySenderOptions;

  constructor(options: DeliverySenderOptions) {
    this.#options = options;
  }

  /**
   * Makes one attempt; undefined where the gate was closed.
   * @throws the signal's reason when it aborts: nobody knows what became of the attempt.
   */
  async attempt(
    delivery: DeliveryRequest,
    gate: PreSendCheck,
    signal: AbortSignal,
  ): Promise<AttemptResult | undefined> {
    if (delivery.keys === undefined)
      return { outcome: failedWithoutResponse(SECRET_UNREADABLE), signature: "", durationMs: 0 };
    const from = performance.now();
    const { timeoutMs = ATTEMPT_TIMEOUT_MS } = this.#options;
    // The receiver holds the time against its own clock, and that is not the sandbox's.
    const { headers, signature } = sign(delivery.keys, delivery.eventId, delivery.body, Date.now());
    const made = (outcome: Outcome) => ({ outcome, signature, durationMs: Math.round(performance.now() - from) });
    const limit = new Deadline(timeoutMs, signal);
    try {
      const outcome = await this.#send(delivery, headers, gate, limit);
      return outcome && made(outcome);
    } catch (error) {
      if (!(error instanceof DeadlineExceeded)) throw error;
      return made(failedWithoutResponse(`the endpoint did not answer within ${timeoutMs / 1_000} seconds`));
    } finally {
      limit.clear();
    }
  }

  async #send(
    { endpointId, target, body }: DeliveryRequest,
    signed: Readonly<Record<string, string>>,
    gate: PreSendCheck,
    limit: Deadline,
  ): Promise<Outcome | undefined> {
    const { connections } = this.#options;
    const checked = target.kind === "named" ? await limit.race(resolveAndCheck(target, this.#options)) : target;
    if (checked.kind !== "allowed") return failedWithoutResponse(`the URL ${checked.reason}`);
    if (!(await gate())) return undefined;
    const { url, addresses } = checked;
    const headers = { "content-type": "application/json", "user-agent": USER_AGENT, ...signed };
    return outcomeOf(await send(connections, { endpointId, url, addresses, headers, body }, limit), Date.now());
  }
}

/** Told the endpoint's owner, who can mend it. */
const SECRET_UNREADABLE = "the endpoint's secret can no longer be read: create the endpoint anew";

const USER_AGENT = "TravelBookingService/1.0 (webhooks)";
