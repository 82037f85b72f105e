import type { Dispute, LedgerCharge, LedgerPage, LedgerRefund } from "../port.ts";
import { fromStripeAmount } from "./amounts.ts";
import { read } from "./ask.ts";
import type { ChargeRecords } from "./charge-records.ts";
import type { Stripe } from "./client.ts";
import { disputeOf } from "./disputes.ts";
import { WITH_CHARGE } from "./find-intent.ts";

const PAGE = 100;

/** A page of the intents that took money, newest first. @param after the last intent of the page before */
export async function ledgerPage(
  stripe: Stripe,
  records: ChargeRecords,
  since: number,
  after: string | undefined,
): Promise<LedgerPage> {
  const page = await read(() =>
    stripe.paymentIntents.list({
      created: { gte: Math.max(0, Math.floor(since / 1000)) },
      limit: PAGE,
      expand: WITH_CHARGE.expand.map((field) => `data.${field}`),
      ...(after !== undefined && { starting_after: after }),
    }),
  );
  const charges: LedgerCharge[] = [];
  for (const intent of page?.data ?? []) {
    if (intent.amount_received > 0) charges.push(await ledgerCharge(stripe, records, intent));
  }
  return { charges, next: page?.has_more ? page.data.at(-1)?.id : undefined };
}

async function ledgerCharge(
  stripe: Stripe,
  records: ChargeRecords,
  intent: Stripe.PaymentIntent,
): Promise<LedgerCharge> {
  const { id: gatewayId, amount_received: amount, currency, metadata, created } = intent;
  const paymentId = metadata.payment_id ?? null;
  const known = paymentId === null ? undefined : (await records.find(paymentId))?.ended?.intentId;
  const charge = typeof intent.latest_charge === "object" ? intent.latest_charge : null;
  return {
    gatewayId,
    paymentId,
    isSecond: known !== undefined && known !== null && known !== gatewayId,
    createdAt: created * 1000,
    amount: fromStripeAmount(amount, currency),
    currency: currency.toUpperCase(),
    refunds: charge?.amount_refunded === 0 ? [] : await refundsOf(stripe, intent),
    disputes: charge?.disputed === false ? [] : await disputesOf(stripe, intent),
  };
}

async function refundsOf(stripe: Stripe, { id, currency }: Stripe.PaymentIntent): Promise<readonly LedgerRefund[]> {
  const refunds = await read(() =>
    stripe.refunds.list({ payment_intent: id, limit: PAGE }).autoPagingToArray({ limit: 10_000 }),
  );
  return (refunds ?? [])
    .filter(({ status }) => status !== "failed" && status !== "canceled")
    .map((refund) => ({
      gatewayId: refund.id,
      refundId: refund.metadata?.refund_id ?? null,
      amount: fromStripeAmount(refund.amount, currency),
      status: refund.status === "succeeded" ? "succeeded" : "pending",
    }));
}

async function disputesOf(stripe: Stripe, { id, metadata }: Stripe.PaymentIntent): Promise<readonly Dispute[]> {
  const disputes = await read(() => stripe.disputes.list({ payment_intent: id, limit: PAGE }));
  return (disputes?.data ?? []).map((dispute) => disputeOf(metadata.payment_id ?? "", dispute));
}
