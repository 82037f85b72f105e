import type { CreatePaymentRequest } from "@travel-booking/api-contract";
import { bookingDecider, creditorReference, paymentIdOf, recordChargeOutcome } from "@travel-booking/domain";
import { type ApiRequest, type ApiResponse, errorResponse } from "@travel-booking/http";
import {
  type ChargeOutcome,
  type ChargeRequest,
  GatewayTimeout,
  GatewayUnavailable,
  type PaymentGateway,
} from "@travel-booking/payment-gateway";
import { randomDigitsOf } from "@travel-booking/runtime";
import { BoundedBackoff, type RealTime, realTime } from "@travel-booking/runtime/real-time";
import { type CommandRequest, commandRequest, stepContext } from "../command-handling/command.ts";
import { runSaga } from "../processes/run-saga.ts";
import { created, paymentBodyOf, rejectionResponse } from "../responses.ts";
import type { CommandServices } from "../services.ts";
import { bookingStream } from "../streams.ts";

type Body = CreatePaymentRequest;
type ChargeBody = Extract<Body, { type: "card" | "wallet" }>;

const OUTCOME_UNKNOWN = errorResponse(
  500,
  "The outcome of the payment is not known yet; repeat the request with the same Idempotency-Key.",
  { "Retry-After": "5" },
);

/**
 * `POST /v1/bookings/{id}/payments`. The intent is recorded first, and decides every race; only then is the gateway
 * asked, with the payment's id as its key; the outcome is recorded together with what it means for the booking.
 */
export function createPayment(services: CommandServices) {
  return (request: ApiRequest<unknown, Body>): Promise<ApiResponse> => {
    const command = commandRequest(request);
    const bookingId = request.params.id ?? "";
    return request.body.type === "bank_transfer"
      ? startTransfer(services, command, bookingId, request.body)
      : charge(services, command, bookingId, request.body);
  };
}

async function charge(
  services: CommandServices,
  command: CommandRequest,
  bookingId: string,
  body: ChargeBody,
): Promise<ApiResponse> {
  const details = await services.gateway.describeToken(
    body.token,
    body.type === "card" ? "card" : { walletType: body.walletType },
  );
  if (details === undefined) return errorResponse(400, ["token is not known to the payment gateway"]);
  const paymentId = paymentIdOf(bookingId, randomDigitsOf(command.identity.commandId));
  const started = await services.handler.execute({
    stream: bookingStream(bookingId),
    decider: bookingDecider,
    command: {
      type: "StartPayment",
      accountId: command.caller.accountId,
      paymentId,
      method: details.type === "card" ? { ...details, saveCard: body.type === "card" && body.saveCard } : details,
      metadata: Object.entries(body.metadata ?? {}),
    },
    context: stepContext(command, 0),
    reply: (state) => paymentBodyOf(state, paymentId),
  });
  if (!started.accepted) return rejectionResponse(started.rejection, started.position);
  services.reachedFaultPoint("pay:started");
  const payment = started.reply;
  if (payment.status !== "pending") return created(payment, started.position);

  const { amount, currency } = payment;
  const outcome = await chargeWithRetry(
    services.gateway,
    { paymentId, amount, currency, token: body.token },
    services.realTime,
  );
  services.reachedFaultPoint("pay:charged");
  if (outcome === undefined) {
    services.logger.warn({ paymentId }, "the gateway has not reported the outcome of a charge");
    return { ...OUTCOME_UNKNOWN, position: started.position };
  }
  const recording = recordChargeOutcome(bookingId, paymentId, outcome, (booking) => paymentBodyOf(booking, paymentId));
  const { result, position } = await runSaga(services, recording, stepContext(command, 1));
  return created(result, position);
}

async function startTransfer(
  { handler, bankAccount }: CommandServices,
  command: CommandRequest,
  bookingId: string,
  body: Extract<Body, { type: "bank_transfer" }>,
): Promise<ApiResponse> {
  const paymentId = paymentIdOf(bookingId, randomDigitsOf(command.identity.commandId));
  const outcome = await handler.execute({
    stream: bookingStream(bookingId),
    decider: bookingDecider,
    command: {
      type: "StartBankTransfer",
      accountId: command.caller.accountId,
      paymentId,
      reference: creditorReference(`TB${randomDigitsOf(command.identity.commandId)}`),
      ...bankAccount,
      metadata: Object.entries(body.metadata ?? {}),
    },
    context: stepContext(command, 0),
    lastStep: true,
    reply: (state) => paymentBodyOf(state, paymentId),
  });
  return outcome.accepted
    ? created(outcome.reply, outcome.position)
    : rejectionResponse(outcome.rejection, outcome.position);
}

/** How long a client waits for an outcome the gateway does not give (docs/rules.md#unknown-outcome); real time. */
const GIVE_UP_AFTER_MS = 10_000;

/**
 * Charges, and asks again where the answer is lost. Idempotent: the gateway charges a payment id once.
 * @returns undefined where the gateway gave no outcome in time; the charge stays open.
 */
export async function chargeWithRetry(
  gateway: PaymentGateway,
  charge: ChargeRequest,
  time: RealTime = realTime,
): Promise<ChargeOutcome | undefined> {
  const backoff = new BoundedBackoff(time, GIVE_UP_AFTER_MS);
  let sent = false;
  do {
    try {
      const known = sent ? await gateway.chargeOutcome(charge.paymentId) : undefined;
      if (known !== undefined) return known;
      sent = true;
      return await gateway.charge(charge);
    } catch (error) {
      if (!(error instanceof GatewayTimeout || error instanceof GatewayUnavailable)) throw error;
    }
  } while (await backoff.pause());
  return undefined;
}
