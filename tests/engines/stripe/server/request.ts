import type { Fault } from "./faults.ts";

/** A request as the double saw it. */
export interface SeenRequest {
  /** `POST /v1/payment_intents/:id/cancel` */
  readonly operation: string;
  readonly params: object;
  readonly idempotencyKey: string | undefined;
  readonly apiVersion: string | undefined;
  readonly fault: Fault | undefined;
  /** Undefined: no answer was given. */
  status: number | undefined;
}
