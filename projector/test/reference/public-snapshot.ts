import {
  type BookingBody,
  bookingBody,
  type DisruptionBody,
  disruptionBody,
  type PaymentBody,
  paymentBody,
  type TravelDocumentBody,
  travelDocumentBody,
} from "@travel-booking/api-contract";
import {
  type BookingEvent,
  type BookingState,
  casesOf,
  findDocument,
  findPayment,
  isExistingBooking,
} from "@travel-booking/domain";

/** The public form of a booking and of the payment or document an event concerns; null for what does not exist. */
export interface PublicSnapshot {
  readonly booking: BookingBody | null;
  readonly payment: PaymentBody | null;
  readonly document: TravelDocumentBody | null;
  readonly disruption: DisruptionBody | null;
}

function paymentIdOf(state: BookingState, event: BookingEvent): string | undefined {
  if ("paymentId" in event.data) return event.data.paymentId;
  if (event.type !== "ReturnSent" || !isExistingBooking(state)) return undefined;
  return state.returns.find(({ returnId }) => returnId === event.data.returnId)?.paymentId;
}

/** Shares nothing with the state, which may change afterwards. */
export function publicSnapshot(state: BookingState, event: BookingEvent): PublicSnapshot {
  if (!isExistingBooking(state)) return { booking: null, payment: null, document: null, disruption: null };
  const paymentId = paymentIdOf(state, event);
  const payment = paymentId === undefined ? undefined : findPayment(state, paymentId);
  const document = "documentId" in event.data ? findDocument(state, event.data.documentId) : undefined;
  const caseId = "caseId" in event.data ? event.data.caseId : undefined;
  const disruption = casesOf(state).find((each) => each.caseId === caseId);
  return {
    booking: bookingBody(state),
    payment: payment === undefined ? null : paymentBody(state, payment),
    document: document === undefined ? null : travelDocumentBody(document),
    disruption: disruption === undefined ? null : disruptionBody(state.bookingId, disruption),
  };
}
