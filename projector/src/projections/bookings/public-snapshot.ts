import {
  type BookingBody,
  bookingBody,
  type PaymentBody,
  paymentBody,
  type TravelDocumentBody,
  travelDocumentBody,
} from "@travel-booking/api-contract";
import {
  type BookingEvent,
  type BookingState,
  findDocument,
  findPayment,
  isExistingBooking,
} from "@travel-booking/domain";

/** What an account sees of a booking and of the payment or document an event concerns; null for what is not there. */
export interface PublicSnapshot {
  readonly booking: BookingBody | null;
  readonly payment: PaymentBody | null;
  readonly document: TravelDocumentBody | null;
}

/** The payment an event is about, if it is about one. */
function paymentIdOf(state: BookingState, event: BookingEvent): string | undefined {
  if ("paymentId" in event.data) return event.data.paymentId;
  if (event.type !== "ReturnSent" || !isExistingBooking(state)) return undefined;
  return state.returns.find(({ returnId }) => returnId === event.data.returnId)?.paymentId;
}

/** Nothing of it belongs to the state: it stays as it is when the state goes on. */
export function publicSnapshot(state: BookingState, event: BookingEvent): PublicSnapshot {
  if (!isExistingBooking(state)) return { booking: null, payment: null, document: null };
  const paymentId = paymentIdOf(state, event);
  const payment = paymentId === undefined ? undefined : findPayment(state, paymentId);
  const document = "documentId" in event.data ? findDocument(state, event.data.documentId) : undefined;
  return {
    booking: bookingBody(state),
    payment: payment === undefined ? null : paymentBody(state, payment),
    document: document === undefined ? null : travelDocumentBody(document),
  };
}
