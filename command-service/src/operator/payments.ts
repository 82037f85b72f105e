import { bookingIdOfRefund, compactReference, type Difference, returnIdOf } from "@travel-booking/domain";
import { OperatorError, type OperatorRequest, type OperatorRoute, operatorRoute } from "@travel-booking/http/operator";
import { GatewayTimeout, GatewayUnavailable } from "@travel-booking/payment-gateway";
import { BOOKINGS, type TransferRow } from "@travel-booking/read-models";
import { z } from "zod";
import type { Reconciliation } from "../payments/daily-reconciliation.ts";
import { existingBooking, refundBodyOf } from "../responses.ts";
import { bookingStream } from "../streams.ts";
import { currentRows, type OperatorServices, operatorContext, parse } from "./operator-services.ts";
import { progressLines } from "./system.ts";

/** `refund list`, `settle` (the money has arrived), `retry`; `dispute list`. */
export function refundRoutes(services: OperatorServices): readonly OperatorRoute[] {
  const { refund, dispute } = BOOKINGS;
  return [
    operatorRoute("GET", "/operator/refunds", async () => ({
      data: await currentRows(services, refund.model, refund.oldest),
    })),
    operatorRoute("POST", "/operator/refunds/:id/settle", (request) => onRefund(services, request, "SettleRefund")),
    operatorRoute("POST", "/operator/refunds/:id/retry", (request) => onRefund(services, request, "RetryRefund")),
    operatorRoute("GET", "/operator/disputes", async () => ({
      data: await currentRows(services, dispute.model, dispute.oldest),
    })),
  ];
}

async function onRefund(services: OperatorServices, request: OperatorRequest, type: "SettleRefund" | "RetryRefund") {
  const refundId = request.params.id ?? "";
  const bookingId = bookingIdOfRefund(refundId);
  if (bookingId === undefined) throw new OperatorError(404, "no refund with this id");
  const outcome = await services.handler.execute({
    ...bookingStream(bookingId),
    command: { type, refundId },
    context: operatorContext(services, request),
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

/** `payments reconcile`: every difference between the gateway's ledger and ours; the same again goes on where it was. */
export function reconciliationRoutes(reconciliation: Reconciliation): readonly OperatorRoute[] {
  return [
    {
      method: "POST",
      path: "/operator/payments/reconcile",
      async handle(request) {
        const since = Date.parse(parse(reconciled, request.body).since);
        const startedAt = performance.now();
        return {
          lines: progressLines<object, readonly Difference[]>((onProgress) =>
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
          ),
        };
      },
    },
  ];
}

const receivedMoney = z.strictObject({
  reference: z.string().trim().min(1).max(100),
  amount: z.int().min(1),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .optional(),
  entryId: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,100}$/)
    .optional(),
});

/** `transfer receive`, `list`, `expected`, `returned`. */
export function transferRoutes(services: OperatorServices): readonly OperatorRoute[] {
  return [
    operatorRoute("POST", "/operator/transfers", async (request) => ({ data: await receive(services, request) })),
    operatorRoute("GET", "/operator/transfers", async () => ({ data: await transferRows(services) })),
    operatorRoute("GET", "/operator/transfers/expected", async () => ({
      data: await currentRows(services, BOOKINGS.expectedTransfer.model, BOOKINGS.expectedTransfer.oldest),
    })),
    operatorRoute("POST", "/operator/transfers/:id/returned", (request) => markReturned(services, request)),
  ];
}

async function transferRows(services: OperatorServices): Promise<readonly TransferRow[]> {
  const { model, newest } = BOOKINGS.transfer;
  return (await currentRows(services, model, newest)) as readonly TransferRow[];
}

/** Matches money to a payment by its reference; answers the rows its cents stand in. */
async function receive(services: OperatorServices, request: OperatorRequest): Promise<readonly TransferRow[]> {
  const { reference: given, amount, currency, entryId = services.ids.next() } = parse(receivedMoney, request.body);
  const reference = compactReference(given);
  await services.waitUntilProjected(await services.store.head());
  const found = await services.models.document(BOOKINGS.transferReference.model, reference);
  if (found === undefined) throw new OperatorError(404, `no bank transfer has the reference ${reference}`);
  const { bookingId, paymentId } = found.state as { readonly bookingId: string; readonly paymentId: string };
  const expected = await services.handler.readState({
    ...bookingStream(bookingId),
    reply: (booking) => existingBooking(booking).currency,
  });
  await claimEntry(services, entryId, reference);
  const outcome = await services.handler.execute({
    ...bookingStream(bookingId),
    command: { type: "ReceiveTransfer", entryId, reference, amount, currency: currency ?? expected },
    context: operatorContext(services, request),
    reply: () => undefined,
  });
  if (!outcome.accepted) throw new OperatorError(409, `the transfer was refused: ${outcome.rejection.code}`);
  const rows = await transferRows(services);
  const ids = [entryId, returnIdOf(bookingId, entryId)];
  return rows.filter((row) => row.paymentId === paymentId && ids.includes(row.id));
}

/** An entry of the bank's is one payment of money: under another reference it would count a second time. */
async function claimEntry({ state }: OperatorServices, entryId: string, reference: string): Promise<void> {
  const { record } = await state.create("transfer-entries", entryId, { reference });
  if (record.value.reference !== reference) {
    throw new OperatorError(409, `entry ${entryId} was received already, for ${record.value.reference}`);
  }
}

async function markReturned(services: OperatorServices, request: OperatorRequest): Promise<TransferRow> {
  const returnId = request.params.id ?? "";
  const row = (await transferRows(services)).find((candidate) => candidate.id === returnId);
  if (row === undefined) throw new OperatorError(404, "no transfer with this id");
  const outcome = await services.handler.execute({
    ...bookingStream(row.bookingId),
    command: { type: "MarkReturnSent", returnId },
    context: operatorContext(services, request),
    reply: () => undefined,
  });
  if (!outcome.accepted) throw new OperatorError(409, "this money is not to be returned");
  await services.waitUntilProjected(outcome.position);
  return { ...row, status: "returned" };
}
