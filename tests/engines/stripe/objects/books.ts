import { randomBytes } from "node:crypto";
import type { Shape } from "./shape.ts";

export type Metadata = Readonly<Record<string, string>>;

export interface Intent extends Shape {
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  readonly created: number;
  readonly metadata: Metadata;
  status: "requires_payment_method" | "succeeded" | "canceled";
  amount_received: number;
  latest_charge: string | null;
  payment_method: string | null;
  last_payment_error: Shape | null;
  customer: string | null;
}

export interface Charge extends Shape {
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  readonly created: number;
  readonly payment_intent: string;
  readonly status: "succeeded" | "failed";
  amount_refunded: number;
  disputed: boolean;
}

export interface Refund extends Shape {
  readonly id: string;
  readonly amount: number;
  readonly created: number;
  readonly charge: string;
  readonly payment_intent: string;
  readonly metadata: Metadata;
  status: "pending" | "succeeded" | "failed";
}

export interface PaymentMethod extends Shape {
  readonly id: string;
  readonly created: number;
  customer: string | null;
}

export interface Customer extends Shape {
  readonly id: string;
  readonly created: number;
  readonly metadata: Metadata;
}

export interface Dispute extends Shape {
  readonly id: string;
  readonly created: number;
  readonly charge: string;
  readonly payment_intent: string;
}

export interface StripeEvent extends Shape {
  readonly id: string;
  readonly created: number;
  readonly type: string;
}

/** The double's clock: the real one, and how far it was set ahead. */
export class Clock {
  #aheadMs = 0;

  advance(ms: number): void {
    this.#aheadMs += ms;
  }

  nowMs(): number {
    return Date.now() + this.#aheadMs;
  }

  /** Unix time, as Stripe writes it. */
  seconds(): number {
    return Math.floor(this.nowMs() / 1000);
  }
}

/** All that the double has: each map in the order of creation. */
export class Books {
  readonly clock = new Clock();
  readonly intents = new Map<string, Intent>();
  readonly charges = new Map<string, Charge>();
  readonly refunds = new Map<string, Refund>();
  readonly paymentMethods = new Map<string, PaymentMethod>();
  readonly customers = new Map<string, Customer>();
  readonly disputes = new Map<string, Dispute>();
  readonly events = new Map<string, StripeEvent>();

  newId(prefix: string): string {
    return `${prefix}_${randomBytes(12).toString("hex")}`;
  }

  /** Records that something happened to an object, which is as it is right afterwards. */
  emit(type: string, object: Shape): void {
    const id = this.newId("evt");
    this.events.set(id, {
      id,
      object: "event",
      created: this.clock.seconds(),
      type,
      livemode: false,
      data: { object: structuredClone(object) },
    });
  }
}
