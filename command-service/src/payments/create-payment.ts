import type { CreatePaymentRequest } from "@travel-booking/api-contract";
import { bookingDecider, creditorReference, paymentIdOf } from "@travel-booking/domain";
import { type ApiRequest, type ApiResponse, errorResponse } from "@travel-booking/http";
import { ownDigits } from "@travel-booking/runtime";
import { paymentBodyOf } from "../edge/bodies.ts";
import { refused } from "../edge/refused.ts";
import { created } from "../edge/responses.ts";
import { type AccountCommand, accountCommand, stepContext } from "../handling/request-context.ts";
import { learnOutcome } from "../policies/learn-outcome.ts";
import { recordOutcome } from "../policies/record-outcome.ts";
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
    const command = accountCommand(request);
    const bookingId = request.params.id ?? "";
    return request.body.type === "bank_transfer"
      ? startTransfer(services, command, bookingId, request.body)
      : charge(services, command, bookingId, request.body);
  };
}

async function charge(
  services: CommandServices,
  command: AccountCommand,
  bookingId: string,
  body: ChargeBody,
): Promise<ApiResponse> {
  const details = await services.gateway.describe(
    body.token,
    body.type === "card" ? "card" : { walletType: body.walletType },
  );
  if (details === undefined) return errorResponse(400, ["token is not known to the payment gateway"]);
  const paymentId = paymentIdOf(bookingId, ownDigits(command.identity.commandId));
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
  if (!started.accepted) return refused(started.rejection, started.position);
  services.reached("pay:started");
  const payment = started.reply;
  if (payment.status !== "pending") return created(payment, started.position);

  const { amount, currency } = payment;
  const outcome = await learnOutcome(
    services.gateway,
    { paymentId, amount, currency, token: body.token },
    services.realTime,
  );
  services.reached("pay:charged");
  if (outcome === undefined) {
    services.logger.warn({ paymentId }, "the gateway has not told the outcome of a charge");
    return { ...OUTCOME_UNKNOWN, position: started.position };
  }
  const recorded = await recordOutcome(services, stepContext(command, 1), bookingId, paymentId, outcome);
  return created(recorded.payment, recorded.position);
}

async function startTransfer(
  { handler, bankAccount }: CommandServices,
  command: AccountCommand,
  bookingId: string,
  body: Extract<Body, { type: "bank_transfer" }>,
): Promise<ApiResponse> {
  const paymentId = paymentIdOf(bookingId, ownDigits(command.identity.commandId));
  const outcome = await handler.execute({
    stream: bookingStream(bookingId),
    decider: bookingDecider,
    command: {
      type: "StartBankTransfer",
      accountId: command.caller.accountId,
      paymentId,
      reference: creditorReference(`TB${ownDigits(command.identity.commandId)}`),
      ...bankAccount,
      metadata: Object.entries(body.metadata ?? {}),
    },
    context: stepContext(command, 0),
    reply: (state) => paymentBodyOf(state, paymentId),
  });
  return outcome.accepted ? created(outcome.reply, outcome.position) : refused(outcome.rejection, outcome.position);
}
