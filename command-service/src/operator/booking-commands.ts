import { changeBookingSchema, disruptionBody } from "@travel-booking/api-contract";
import {
  type BookingState,
  bookingIdOfCase,
  CABINS,
  caseOf,
  casesOf,
  type DisruptionCase,
  type ExistingBooking,
  isExistingBooking,
  refundableAmount,
} from "@travel-booking/domain";
import type { ApiResponse } from "@travel-booking/http";
import { OperatorError, type OperatorRequest, type OperatorRoute, operatorRoute } from "@travel-booking/http/operator";
import { z } from "zod";
import { answer } from "../bookings/answer-disruption.ts";
import { cancel } from "../bookings/cancel-booking.ts";
import { change } from "../bookings/change-booking.ts";
import { takeCabin } from "../bookings/take-cabin.ts";
import type { CommandRequest } from "../command-handling/command.ts";
import { refund } from "../payments/create-refund.ts";
import { bookingStream } from "../streams.ts";
import { line, type OperatorServices, operatorContext, parse, refusedAs } from "./operator-services.ts";
import { amountOf, sumFields } from "./transfers.ts";

const reason = { reason: line(500).optional() };
const cancelled = z.strictObject(reason);
const refunded = z.strictObject({ paymentId: z.string().max(200).optional(), ...sumFields, ...reason });
const reseated = changeBookingSchema.pick({ seats: true }).required().extend(reason);
const noted = z.strictObject({ text: line(1_000) });

const settled = z.xor([
  z.strictObject({ answer: z.enum(["accept", "refund"]), ...reason }),
  z.strictObject({ answer: z.literal("rebook"), flightId: line(255), ...reason }),
  z.strictObject({ answer: z.enum(["upgrade", "downgrade"]), cabin: z.enum(CABINS), ...reason }),
]);

const NONE = "no booking with this id";

/**
 * `booking cancel`, `refund`, `reseat`: what the owner could ask for, by the same commands and with the same refusals;
 * `booking note`; `disruption settle`. The reason is for operators alone.
 */
export function bookingCommandRoutes(services: OperatorServices): readonly OperatorRoute[] {
  return [
    operatorRoute("POST", "/operator/bookings/:id/cancel", async (request) => {
      const { reason: note } = parse(cancelled, request.body);
      const { bookingId, command } = await inPlaceOfOwner(services, request, note);
      return answered(services, await cancel(services, command, bookingId, {}));
    }),
    operatorRoute("POST", "/operator/bookings/:id/refunds", async (request) => {
      const { paymentId, reason: note, ...given } = parse(refunded, request.body);
      const { payments, command } = await inPlaceOfOwner(services, request, note);
      const payment = paymentMeant(payments, paymentId);
      const isPart = given.amount !== undefined || given.sum !== undefined;
      const amount = isPart ? amountOf(given, payment.currency) : undefined;
      const asked = { amount, reason: "requested_by_customer" } as const;
      return answered(services, await refund(services, command, payment.paymentId, asked));
    }),
    operatorRoute("POST", "/operator/bookings/:id/seats", async (request) => {
      const { seats, reason: note } = parse(reseated, request.body);
      const { bookingId, command } = await inPlaceOfOwner(services, request, note);
      return answered(services, await change(services, command, bookingId, { seats }));
    }),
    operatorRoute("POST", "/operator/cases/:id/settle", async (request) => {
      const { reason: note, ...asked } = parse(settled, request.body);
      const caseId = request.params.id ?? "";
      const bookingId = bookingIdOfCase(caseId) ?? "";
      const { command, cases } = await inPlaceOfOwner(services, request, note, bookingId);
      const found = cases.find((each) => each.caseId === caseId);
      if (found === undefined) throw new OperatorError(404, "no case with this id");
      // Whoever is on the telephone knows of the case as it is.
      const { revision } = found;
      if (!("cabin" in asked))
        return answered(services, await answer(services, command, caseId, { ...asked, revision }));
      const [from, to] = [found.before.cabin, asked.cabin].map((cabin) => CABINS.indexOf(cabin)) as [number, number];
      if (asked.answer === "upgrade" ? to <= from : to >= from)
        throw new OperatorError(409, `${asked.cabin} is no ${asked.answer} of ${found.before.cabin}`);
      const body = (booking: BookingState) => disruptionBody(bookingId, caseOf(booking, caseId));
      return answered(
        services,
        await takeCabin(services, command, { bookingId, caseId, revision, cabin: asked.cabin, body }),
      );
    }),
    operatorRoute("POST", "/operator/bookings/:id/notes", async (request) => {
      const id = request.params.id ?? "";
      const outcome = await services.handler.execute({
        ...bookingStream(id),
        command: { type: "AddNote", ...parse(noted, request.body) },
        context: operatorContext(request),
        reply: () => undefined,
      });
      if (outcome.accepted) {
        await services.waitUntilProjected(outcome.position);
        return { id, status: "noted" };
      }
      if (outcome.rejection.code === "booking_not_found") throw new OperatorError(404, `${NONE}, or it is forgotten`);
      throw new OperatorError(409, "the changes of this booking leave no room for another word");
    }),
  ];
}

type Payments = ExistingBooking["payments"];

interface InPlaceOfOwner {
  readonly bookingId: string;
  readonly payments: Payments;
  readonly cases: readonly Pick<DisruptionCase, "caseId" | "revision" | "before">[];
  readonly command: CommandRequest;
}

/** @throws OperatorError 404 there is no such booking; 409 it takes no words any more, and some are given. */
async function inPlaceOfOwner(
  services: OperatorServices,
  request: OperatorRequest,
  note: string | undefined,
  bookingId = request.params.id ?? "",
): Promise<InPlaceOfOwner> {
  const found = await services.handler.readState({
    ...bookingStream(bookingId),
    reply: (state) =>
      isExistingBooking(state)
        ? {
            accountId: state.accountId,
            erased: state.erased !== undefined,
            payments: structuredClone(state.payments),
            cases: casesOf(state).map(({ caseId, revision, before }) => ({ caseId, revision, before })),
          }
        : undefined,
  });
  if (found === undefined) throw new OperatorError(404, NONE);
  const { accountId, erased, payments, cases } = found;
  if (erased && note !== undefined)
    throw new OperatorError(409, "people of this booking are forgotten: give no reason, which may be about them");
  const { requestId, command: identity, operator: id } = request;
  const command = { caller: { accountId }, actor: { kind: "operator", id }, identity, requestId, note } as const;
  return { bookingId, payments, cases, command };
}

/**
 * The payment of this id; without one the only payment of which something is left, else the last.
 * @throws OperatorError 404, 409
 */
function paymentMeant(payments: Payments, paymentId: string | undefined): Payments[number] {
  const left = payments.filter((payment) => refundableAmount(payment) > 0);
  if (paymentId === undefined && left.length > 1)
    throw new OperatorError(409, `name one of its payments: ${left.map((each) => each.paymentId).join(", ")}`);
  const meant =
    paymentId === undefined ? (left[0] ?? payments.at(-1)) : payments.find((each) => each.paymentId === paymentId);
  if (meant === undefined) throw new OperatorError(404, "the booking has no such payment");
  return meant;
}

/** What the owner would be answered, once all of it is shown. */
async function answered({ waitUntilProjected }: OperatorServices, response: ApiResponse): Promise<unknown> {
  const { status, json, position } = response;
  if (status >= 400) throw refusedAs(response);
  if (position !== undefined) await waitUntilProjected(position);
  return JSON.parse(String(json));
}
