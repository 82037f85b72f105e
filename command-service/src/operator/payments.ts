import { bookingIdOfRefund, type Difference } from "@travel-booking/domain";
import { OperatorError, type OperatorRequest, type OperatorRoute, operatorRoute } from "@travel-booking/http/operator";
import { GatewayTimeout, GatewayUnavailable } from "@travel-booking/payment-gateway";
import { BOOKINGS, type RefundRow } from "@travel-booking/read-models";
import { z } from "zod";
import type { Reconciliation } from "../payments/daily-reconciliation.ts";
import { refundBodyOf } from "../responses.ts";
import { bookingStream } from "../streams.ts";
import { casesOfDisruption } from "./disruptions.ts";
import { currentRows, listed, type OperatorServices, operatorContext, parse } from "./operator-services.ts";
import { progressLines } from "./system.ts";

/** `refund list`, `settle` (the money has arrived), `retry`; `dispute list`. */
export function refundRoutes(services: OperatorServices): readonly OperatorRoute[] {
  const { refund, dispute } = BOOKINGS;
  return [
    operatorRoute("GET", "/operator/refunds", async ({ query }) => {
      const { most } = parse(listed, query);
      if (query.disruption === undefined)
        return { data: await currentRows(services, refund.model, refund.oldest, most) };
      const rows = (await currentRows(services, refund.model, refund.oldest)) as readonly RefundRow[];
      return { data: (await rowsOfDisruption(services, query.disruption, rows)).slice(0, most) };
    }),
    operatorRoute("POST", "/operator/refunds/:id/settle", (request) => onRefund(services, request, "SettleRefund")),
    operatorRoute("POST", "/operator/refunds/:id/retry", (request) => onRefund(services, request, "RetryRefund")),
    operatorRoute("GET", "/operator/disputes", async ({ query }) => ({
      data: await currentRows(services, dispute.model, dispute.oldest, parse(listed, query).most),
    })),
  ];
}

/** Those of the bookings that followed a disruption, where no other has taken their cases over. */
async function rowsOfDisruption(services: OperatorServices, id: string, rows: readonly RefundRow[]) {
  const bookings = new Set<string>();
  for await (const [, , { bookingId, disruptionId }] of casesOfDisruption(services, id))
    if (disruptionId === id) bookings.add(bookingId);
  return rows.filter(({ bookingId }) => bookings.has(bookingId));
}

async function onRefund(services: OperatorServices, request: OperatorRequest, type: "SettleRefund" | "RetryRefund") {
  const refundId = request.params.id ?? "";
  const bookingId = bookingIdOfRefund(refundId);
  if (bookingId === undefined) throw new OperatorError(404, "no refund with this id");
  const outcome = await services.handler.execute({
    ...bookingStream(bookingId),
    command: { type, refundId },
    context: operatorContext(request),
    reply: (state) => refundBodyOf(state, refundId),
  });
  if (!outcome.accepted) {
    if (outcome.rejection.code === "refund_not_failed") throw new OperatorError(409, "the refund has not failed");
    throw new OperatorError(404, "no refund with this id");
  }
  await services.waitUntilProjected(outcome.position);
  return outcome.reply;
}

const OUT_OF_REACH = "the payment gateway does not answer: the same command goes on where it was";
const reconciled = z.strictObject({ since: z.iso.datetime({ offset: true }) });

/** `payments reconcile`: every difference between the gateway's ledger and ours. Repeated, it goes on where it was. */
export function reconciliationRoutes(reconciliation: Reconciliation): readonly OperatorRoute[] {
  return [
    {
      method: "POST",
      path: "/operator/payments/reconcile",
      async lines(request) {
        const since = Date.parse(parse(reconciled, request.body).since);
        const startedAt = performance.now();
        return progressLines<object, readonly Difference[]>((onProgress) =>
          reconciliation
            .run(since, {
              onProgress({ compared, known }) {
                const rate = Math.round((1_000 * compared) / (performance.now() - startedAt));
                onProgress({ position: compared, head: Math.max(compared, known), rate, secondsLeft: null });
              },
            })
            .catch((error: unknown) => {
              if (!(error instanceof GatewayTimeout || error instanceof GatewayUnavailable)) throw error;
              throw new OperatorError(503, OUT_OF_REACH);
            }),
        );
      },
    },
  ];
}
