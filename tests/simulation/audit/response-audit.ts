import type {
  BookingBody,
  DisruptionBody,
  PaymentBody,
  RedemptionBody,
  RefundBody,
  SeatHoldBody,
} from "@travel-booking/api-contract";
import type { ApiResponse } from "@travel-booking/http";
import { commandStep } from "@travel-booking/runtime";
import type { Call } from "../run/service-process.ts";
import type { Audit } from "./audit.ts";
import { invariant } from "./invariant.ts";

const REJECTION_STATUSES = [404, 409, 422];

/** The step of a request that decides whether what was asked for comes about. */
const DECIDING_STEP: Readonly<Record<string, number>> = { createBooking: 1, changeBooking: 1, rebookDisruption: 1 };
/** A booking decides on a reward that is for it, else the account. */
const REDEMPTION_STEP = { account: 0, booking: 2 };

function decidingStep({ operation, body }: Call): number {
  if (operation !== "createRedemption") return DECIDING_STEP[operation] ?? 0;
  return "bookingId" in (body as object) ? REDEMPTION_STEP.booking : REDEMPTION_STEP.account;
}

/** Holds every answer against the log as it is when the answer arrives. */
export class ResponseAudit {
  readonly #audit: Audit;
  readonly #answers = new Map<string, string>();

  constructor(audit: Audit) {
    this.#audit = audit;
  }

  /** `kept`: the key of the call still stands for its first answer. `commandId`: what was carried out for it. */
  check(call: Call, response: ApiResponse, kept: boolean, commandId: string | undefined): void {
    const { operation, key } = call;
    const { status, json } = response;
    const said = `${operation} answered ${status} ${json}`;
    // The outcome of a charge is unknown, or the gateway has refused to look at it for ten seconds.
    if (status === 500 || response.headers?.["Service-Error-Code"] === "gateway_unavailable") {
      invariant(operation === "createPayment", said);
      return;
    }
    if (response.transient === true || (status === 409 && response.headers?.["Retry-After"] !== undefined)) return;
    // The key may have another command since.
    if (response.givenUp === true) return;
    const before = this.#answers.get(key);
    invariant(!kept || before === undefined || before === said, `${said}, but before: ${before}`);
    this.#answers.set(key, said);
    if (REJECTION_STATUSES.includes(status)) {
      if (kept && commandId !== undefined) this.#audit.recordRejected(commandStep(commandId, decidingStep(call)), said);
      return;
    }
    const body = json === null ? undefined : JSON.parse(String(json));
    invariant(this.#isTrue(call, status, body), `${said}, and the log says otherwise`);
  }

  #isTrue(call: Call, status: number, body: unknown): boolean {
    switch (call.operation) {
      case "createSeatHold":
        return status === 201 && this.#isHeld(call, body as SeatHoldBody);
      case "releaseSeatHold":
        return status === 204 && this.#hold(call.params.id, call.params.holdId)?.ended === true;
      case "createBooking":
        return status === 201 && this.#isBooked(call, body as BookingBody);
      case "changeBooking":
        return status === 200 && this.#isChanged(call, body as BookingBody);
      case "cancelBooking":
        return status === 200 && this.#booking(body as BookingBody).status === "cancelled";
      case "acceptDisruption":
      case "rebookDisruption":
      case "refundDisruption":
        return status === 200 && this.#isAnswered(call, body as DisruptionBody);
      case "createPayment":
        return status === 201 && this.#isPaid(body as PaymentBody);
      case "createRefund":
        return status === 201 && this.#isRefunded(call, body as RefundBody);
      case "createRedemption":
        return status === 201 && this.#isRedeemed(call, body as RedemptionBody);
      default:
        return false;
    }
  }

  #isRedeemed({ accountId, body: asked }: Call, body: RedemptionBody): boolean {
    const { reward, bookingId = null } = asked as { readonly reward: string; readonly bookingId?: string };
    const redemption = this.#audit.accounts.get(accountId)?.redemptions.get(body.id);
    return (
      redemption?.status === "completed" &&
      [redemption.reward, redemption.bookingId, redemption.points].join() === [reward, bookingId, body.points].join() &&
      (bookingId === null || this.#audit.bookingOf(bookingId).rewards.get(body.id) === reward)
    );
  }

  #isAnswered({ operation, body: asked }: Call, { id, bookingId, outcome, after }: DisruptionBody): boolean {
    const { flightId } = asked as { readonly flightId?: string };
    const meant = { acceptDisruption: "accepted", rebookDisruption: "rebooked", refundDisruption: "refunded" }[
      operation
    ];
    const booking = this.#audit.bookingOf(bookingId);
    return (
      outcome === meant &&
      booking.outcomes.get(id) === outcome &&
      (flightId === undefined || (after?.flightId === flightId && booking.flightsEver.includes(flightId)))
    );
  }

  #isHeld({ params, body: asked, accountId }: Call, body: SeatHoldBody): boolean {
    const hold = this.#hold(params.id, body.id);
    const seats = (asked as { readonly seats: readonly string[] }).seats.join();
    return hold?.accountId === accountId && hold.seats.join() === seats && body.seats.join() === seats;
  }

  #isBooked({ body: asked, accountId }: Call, body: BookingBody): boolean {
    const booking = this.#booking(body);
    const { seats, passengers } = asked as {
      readonly seats?: readonly string[];
      readonly passengers: readonly object[];
    };
    return (
      booking.facts?.accountId === accountId &&
      booking.facts.passengers.length === passengers.length &&
      (seats === undefined || booking.seatsEver[0] === seats.join())
    );
  }

  #isChanged({ body: asked, accountId }: Call, body: BookingBody): boolean {
    const booking = this.#booking(body);
    const { seats, reference } = asked as { readonly seats?: readonly string[]; readonly reference?: string | null };
    // The body is the booking as it is when this is decided, or found decided: others may have changed it since.
    return (
      booking.facts?.accountId === accountId &&
      (seats === undefined || booking.seatsEver.includes(seats.join())) &&
      booking.seatsEver.includes(body.seats.join()) &&
      (reference === undefined || booking.references.includes(reference)) &&
      booking.references.includes(body.reference ?? null)
    );
  }

  #isPaid(body: PaymentBody): boolean {
    const payment = this.#audit.bookingOf(body.bookingId).payments.get(body.id);
    return payment?.amount === body.amount && (body.status === "pending" || body.status === payment.outcome);
  }

  #isRefunded({ params, body: asked }: Call, body: RefundBody): boolean {
    const { amount } = asked as { readonly amount?: number };
    for (const { payments } of this.#audit.bookings.values()) {
      const refund = payments.get(params.id ?? "")?.refunds.get(body.id);
      if (refund !== undefined) return refund.amount === body.amount && (amount ?? body.amount) === body.amount;
    }
    return false;
  }

  #hold(flightId: string | undefined, holdId: string | undefined) {
    return this.#audit.flights.get(flightId ?? "")?.holds.get(holdId ?? "");
  }

  #booking({ id }: BookingBody) {
    return this.#audit.bookingOf(id);
  }
}
