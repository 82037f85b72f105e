import type { InboundEvent, Subject } from "../port.ts";
import { read } from "./ask.ts";
import type { Stripe } from "./client.ts";
import { disputeOf, idOf } from "./disputes.ts";

/** Allowed difference between the time of a signature and ours. */
const TOLERANCE_S = 5 * 60;

/** The subject of an event. Nothing else in the event is believed. */
interface Hint {
  readonly type: string;
  readonly id: string;
}

/**
 * Whether an event is signed by Stripe with our secret (`v1`), and recent.
 * @param now milliseconds since the epoch, real time
 */
export function inboundEvent(
  stripe: Stripe,
  webhookSecret: string,
  headers: Readonly<Record<string, string | undefined>>,
  body: Uint8Array,
  now: number,
): InboundEvent | undefined {
  const signature = headers["stripe-signature"] ?? "";
  // The library refuses old signatures, but accepts those from the future.
  const at = Number(
    signature
      .match(/(?<=^|,)t=\d+/g)
      ?.at(-1)
      ?.slice(2),
  );
  if (!(Math.abs(now / 1000 - at) <= TOLERANCE_S)) return undefined;
  let hint: Hint | undefined;
  try {
    const event = stripe.webhooks.constructEvent(
      Buffer.from(body),
      signature,
      webhookSecret,
      TOLERANCE_S,
      undefined,
      now,
    );
    hint = hintOf(event);
  } catch {
    return undefined;
  }
  return { subjects: async () => (hint === undefined ? [] : subjectsOf(stripe, hint)) };
}

function hintOf(event: unknown): Hint | undefined {
  const { type, data } = event as { readonly type?: unknown; readonly data?: { readonly object?: { id?: unknown } } };
  const id = data?.object?.id;
  return typeof type === "string" && typeof id === "string" && /^[A-Za-z0-9_]+$/.test(id) ? { type, id } : undefined;
}

async function subjectsOf(stripe: Stripe, { type, id }: Hint): Promise<readonly Subject[]> {
  if (type.startsWith("payment_intent.")) {
    const intent = await read(() => stripe.paymentIntents.retrieve(id));
    const paymentId = intent?.metadata.payment_id;
    return paymentId === undefined ? [] : [{ kind: "charge", paymentId }];
  }
  if (type.startsWith("refund.") || type === "charge.refund.updated") {
    const refund = await read(() => stripe.refunds.retrieve(id));
    const refundId = refund?.metadata?.refund_id;
    return refundId === undefined ? [] : [{ kind: "refund", refundId }];
  }
  if (type.startsWith("charge.dispute.")) {
    const dispute = await read(() => stripe.disputes.retrieve(id));
    const intentId = idOf(dispute?.payment_intent);
    const intent = intentId === undefined ? undefined : await read(() => stripe.paymentIntents.retrieve(intentId));
    const paymentId = intent?.metadata.payment_id;
    return dispute === undefined || paymentId === undefined
      ? []
      : [{ kind: "dispute", dispute: disputeOf(paymentId, dispute) }];
  }
  return [];
}
