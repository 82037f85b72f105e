import type { CreatePaymentRequest } from "@travel-booking/api-contract";
import {
  creditorReference,
  isPaymentGivenUp,
  paymentIdOf,
  paymentOf,
  recordChargeOutcome,
  startedCharge,
} from "@travel-booking/domain";
import { type ApiRequest, type ApiResponse, errorResponse, unavailable } from "@travel-booking/http";
import {
  type ChargeEnding,
  type ChargeRequest,
  GatewayTimeout,
  GatewayUnavailable,
  type PaymentGateway,
} from "@travel-booking/payment-gateway";
import { randomDigitsOf } from "@travel-booking/runtime";
import { BoundedBackoff, type RealTime, realTime } from "@travel-booking/runtime/real-time";
import { type CommandRequest, commandRequest, stepContext } from "../command-handling/command.ts";
import { runSaga } from "../processes/run-saga.ts";
import { created, existingBooking, paymentBodyOf, rejectionResponse } from "../responses.ts";
import { type CommandServices, servicesFor } from "../services.ts";
import { bookingStream } from "../streams.ts";

type Body = CreatePaymentRequest;
type ChargeBody = Extract<Body, { type: "card" | "wallet" }>;

const OUTCOME_UNKNOWN = errorResponse(
  500,
  "outcome_unknown",
  "The outcome of the payment is not known yet; repeat the request with the same Idempotency-Key.",
  { "Retry-After": "5" },
);
const GATEWAY_UNAVAILABLE = unavailable(
  "gateway_unavailable",
  "The payment gateway is out of reach and nothing is charged yet; the payment goes on by itself, and the same Idempotency-Key gets its outcome.",
  5,
);
function tokenUnknown({ tokens }: Pick<PaymentGateway, "tokens">): ApiResponse {
  const hint = tokens === undefined ? "" : `; ${tokens}`;
  return errorResponse(400, "unknown_token", [`token is not known to the payment gateway${hint}`]);
}
const GIVEN_UP = { code: "payment_given_up" };

/**
 * `POST /v1/bookings/{id}/payments`. The intent is recorded first, so that it decides every race. Then the gateway is
 * asked, with the payment's id as key. Its outcome is recorded together with the effect on the booking.
 */
export function createPayment(services: CommandServices) {
  return (request: ApiRequest<unknown, Body>): Promise<ApiResponse> => {
    const command = commandRequest(request);
    const bookingId = request.params.id ?? "";
    return request.body.type === "bank_transfer"
      ? startTransfer(services, command, bookingId, request.body)
      : charge(servicesFor(request, services), command, bookingId, request.body);
  };
}

async function charge(
  services: CommandServices,
  command: CommandRequest,
  bookingId: string,
  body: ChargeBody,
): Promise<ApiResponse> {
  const details = services.gateway.describeToken(
    body.token,
    body.type === "card" ? "card" : { walletType: body.walletType },
  );
  if (details === undefined) return tokenUnknown(services.gateway);
  const paymentId = paymentIdOf(bookingId, randomDigitsOf(command.identity.commandId));
  const started = await services.handler.execute({
    ...bookingStream(bookingId),
    command: {
      type: "StartPayment",
      accountId: command.caller.accountId,
      paymentId,
      method: details.type === "card" ? { ...details, saveCard: body.type === "card" && body.saveCard } : details,
      metadata: Object.entries(body.metadata ?? {}),
    },
    context: stepContext(command, 0),
    reply: (state) =>
      isPaymentGivenUp(state, paymentId)
        ? undefined
        : {
            payment: paymentBodyOf(state, paymentId),
            asked: startedCharge(existingBooking(state), paymentOf(state, paymentId)),
          },
  });
  if (!started.accepted) return rejectionResponse(started.rejection, started.position);
  if (started.reply === undefined) return rejectionResponse(GIVEN_UP, started.position);
  services.reachedFaultPoint("pay:started");
  const { payment, asked } = started.reply;
  if (payment.status !== "pending") return created(payment, started.position);

  const charging = chargeWithRetry(services.gateway, { ...asked, token: body.token }, services.realTime);
  const outcome = await services.waitUncounted(charging);
  services.reachedFaultPoint("pay:charged");
  if (outcome instanceof Error) {
    services.gatewayMonitor.report(outcome);
    services.logger.warn({ err: outcome, paymentId }, "the gateway has not reported the outcome of a charge");
    const answer = outcome instanceof GatewayUnavailable ? GATEWAY_UNAVAILABLE : OUTCOME_UNKNOWN;
    return { ...answer, position: started.position };
  }
  const recording = recordChargeOutcome(bookingId, paymentId, outcome, (booking) =>
    isPaymentGivenUp(booking, paymentId) ? undefined : paymentBodyOf(booking, paymentId),
  );
  const { result, position } = await runSaga(services, recording, stepContext(command, 1));
  if (outcome.status === "rejected") return { ...tokenUnknown(services.gateway), position };
  return result === undefined ? rejectionResponse(GIVEN_UP, position) : created(result, position);
}

async function startTransfer(
  { handler, bankAccount }: CommandServices,
  command: CommandRequest,
  bookingId: string,
  body: Extract<Body, { type: "bank_transfer" }>,
): Promise<ApiResponse> {
  const paymentId = paymentIdOf(bookingId, randomDigitsOf(command.identity.commandId));
  const outcome = await handler.execute({
    ...bookingStream(bookingId),
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

/** Real time that a client waits if the gateway gives no outcome (docs/rules.md#unknown-outcome). */
const GIVE_UP_AFTER_MS = 10_000;

/**
 * Charges, and asks again if the answer is lost or the gateway did not try. Idempotent, because the gateway charges a
 * payment id once.
 * @returns the outcome, or an error if there was none in time; the charge then stays open. It is `GatewayUnavailable`
 * if every request was refused, so that nothing was charged, else `GatewayTimeout`.
 */
export async function chargeWithRetry(
  gateway: Pick<PaymentGateway, "charge">,
  charge: ChargeRequest,
  time: RealTime = realTime,
): Promise<ChargeEnding | GatewayTimeout | GatewayUnavailable> {
  const backoff = new BoundedBackoff(time, GIVE_UP_AFTER_MS);
  let lost: GatewayTimeout | undefined;
  let refused: GatewayUnavailable | undefined;
  do {
    try {
      return await gateway.charge(charge);
    } catch (error) {
      if (error instanceof GatewayTimeout) lost = error;
      else if (error instanceof GatewayUnavailable) refused = error;
      else throw error;
    }
  } while (await backoff.pause());
  return (lost ?? refused) as GatewayTimeout | GatewayUnavailable;
}
