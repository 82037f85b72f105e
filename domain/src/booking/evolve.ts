import { FORMER_POINTS_RATE } from "../loyalty/rules.ts";
import { eraseBooking } from "../personal-data/words.ts";
import { assertNever, type Instant } from "../shared/decision.ts";
import type {
  BookingAbandoned,
  BookingCancelled,
  BookingConfirmed,
  BookingCreated,
  BookingErased,
  BookingEvent,
  DocumentUploaded,
  PriceChange,
} from "./events.ts";
import type { ChargeDetails, Payment } from "./payment.ts";
import {
  type BookingState,
  type CancelledBooking,
  type ConfirmedBooking,
  documentOf,
  type ExistingBooking,
  isExistingBooking,
  type PendingBooking,
  paymentOf,
  refundOf,
  type TravelDocument,
} from "./state.ts";

/** Folds one event in. Consumes `state`: it may be changed and returned. */
export function evolveBooking(state: BookingState, event: BookingEvent): BookingState {
  if (event.type === "BookingCreated") return created(event);
  if (event.type === "BookingAbandoned") return { status: "abandoned", bookingId: event.data.bookingId };
  if (!isExistingBooking(state)) throw new Error(`${event.type} in the history of a booking that was never created`);
  if (event.type === "BookingConfirmed") return confirmed(state, event.at);
  if (event.type === "BookingCancelled") return cancelled(state, event);
  if (event.type === "BookingErased") return { ...eraseBooking(state), erased: true };
  changeInPlace(state, event);
  return state;
}

function created({ at, data }: BookingCreated): PendingBooking {
  return {
    status: "pending",
    ...data,
    createdAt: at,
    creditClaimed: data.creditApplied,
    payments: [],
    returns: [],
    changesApplied: [],
    changesClosed: [],
    documents: [],
    uploadsClosed: [],
    rewards: [],
    redemptionsClosed: [],
    pointsRate: data.pointsRate ?? FORMER_POINTS_RATE,
    pendingPoints: 0,
    flown: false,
  };
}

function confirmed(booking: ExistingBooking, at: Instant): ConfirmedBooking {
  if (booking.status !== "pending") throw new Error(`a booking that is ${booking.status} cannot become confirmed`);
  const { expiresAt: _, ...facts } = booking;
  return { ...facts, status: "confirmed", confirmedAt: at };
}

function cancelled(booking: ExistingBooking, { at, data }: BookingCancelled): CancelledBooking {
  const cancellation = { status: "cancelled", cancelledAt: at, cause: data.cause, reason: data.reason } as const;
  switch (booking.status) {
    case "pending": {
      const { expiresAt: _, ...facts } = booking;
      return { ...facts, ...cancellation };
    }
    case "confirmed": {
      const { confirmedAt: _, ...facts } = booking;
      return { ...facts, ...cancellation };
    }
    case "cancelled":
      throw new Error("a cancelled booking cannot be cancelled again");
    default:
      return assertNever(booking);
  }
}

type StatusEvent = BookingCreated | BookingAbandoned | BookingConfirmed | BookingCancelled | BookingErased;

/** Folds in an event that leaves the status as it is, and the words. */
function changeInPlace(booking: ExistingBooking, event: Exclude<BookingEvent, StatusEvent>): void {
  switch (event.type) {
    case "BookingChanged": {
      const { reference, passengers, seats, changeId } = event.data;
      if (reference !== undefined) booking.reference = reference;
      if (passengers !== undefined) booking.passengers = passengers;
      if (seats !== undefined) booking.seats = seats;
      if (changeId !== null) booking.changesApplied.push(changeId);
      changePrice(booking, event.data);
      return;
    }
    case "SeatChangeClosed":
      booking.changesClosed.push(event.data.changeId);
      return;

    case "PaymentStarted": {
      const { data, at } = event;
      booking.payments.push({
        ...data,
        createdAt: at,
        status: "pending",
        failureCode: null,
        refunds: [],
        entries: [],
        disputes: [],
      });
      if (booking.status === "pending" && data.method.type === "bank_transfer")
        booking.expiresAt = data.method.bankTransfer.dueAt;
      return;
    }
    case "PaymentSucceeded": {
      const { paymentId, details, pending } = event.data;
      const payment = paymentOf(booking, paymentId);
      payment.status = "succeeded";
      payment.failureCode = null;
      learnDetails(payment, details);
      booking.pendingPoints = pending?.to ?? booking.pendingPoints;
      return;
    }
    case "PaymentFailed": {
      const { paymentId, failureCode, details, barred } = event.data;
      const payment = paymentOf(booking, paymentId);
      payment.status = "failed";
      payment.failureCode = failureCode;
      if (barred) payment.barred = barred;
      learnDetails(payment, details);
      return;
    }
    case "PaymentWithdrawn": {
      const { paymentId } = event.data;
      booking.payments = booking.payments.filter((payment) => payment.paymentId !== paymentId);
      booking.paymentsWithdrawn = [...(booking.paymentsWithdrawn ?? []), paymentId];
      return;
    }
    case "PaymentDisputed": {
      const { paymentId, ...dispute } = event.data;
      const payment = paymentOf(booking, paymentId);
      payment.disputes = [...payment.disputes.filter(({ disputeId }) => disputeId !== dispute.disputeId), dispute];
      return;
    }
    case "TransferReceived": {
      const { paymentId, ...entry } = event.data;
      paymentOf(booking, paymentId).entries.push({ ...entry, receivedAt: event.at });
      return;
    }
    case "ReturnDue":
      booking.returns.push({ ...event.data, createdAt: event.at, status: "due" });
      return;
    case "ReturnSent": {
      const due = booking.returns.find(({ returnId }) => returnId === event.data.returnId);
      if (due === undefined) throw new Error(`return ${event.data.returnId} was sent but never due`);
      due.status = "sent";
      return;
    }
    case "RefundStarted": {
      const { pending, departed: _, keepsNothing: __, ...refund } = event.data;
      paymentOf(booking, refund.paymentId).refunds.push({
        ...refund,
        createdAt: event.at,
        status: "pending",
        attempt: 1,
        checks: 0,
        failure: null,
      });
      booking.pendingPoints = pending?.to ?? booking.pendingPoints;
      return;
    }
    case "RefundSucceeded":
      refundOf(booking, event.data.refundId).status = "succeeded";
      return;
    case "RefundAwaited":
      refundOf(booking, event.data.refundId).checks = event.data.checks;
      return;
    case "RefundFailed": {
      const { refundId, attempt, reason } = event.data;
      Object.assign(refundOf(booking, refundId), { status: "pending", failure: { attempt, reason } });
      return;
    }
    case "RefundRetried":
      Object.assign(refundOf(booking, event.data.refundId), { attempt: event.data.attempt, checks: 0 });
      return;

    case "CreditApplied": {
      const { redemptionId, amount, totalAmount } = event.data;
      booking.rewards.push({ redemptionId, reward: "booking_credit", amount });
      booking.creditApplied += amount;
      booking.totalAmount = totalAmount;
      return;
    }
    case "CabinUpgraded": {
      const { redemptionId, cabin } = event.data;
      booking.rewards.push({ redemptionId, reward: "cabin_upgrade", amount: 0 });
      booking.changesApplied.push(redemptionId);
      booking.cabin = cabin;
      booking.seats = [];
      changePrice(booking, event.data);
      return;
    }
    case "RewardAdded":
      booking.rewards.push({ ...event.data, amount: 0 });
      return;
    case "RedemptionClosed":
      booking.redemptionsClosed.push(event.data.redemptionId);
      return;
    case "BookingFlown":
      booking.flown = true;
      return;

    case "DocumentUploaded":
      booking.documents.push(uploaded(event));
      return;
    case "DocumentVerified": {
      const { documentId, kind, passengers, zoneName, read, sameAs = [] } = event.data;
      const holders = passengers.map((passenger) => ({
        passenger,
        name: booking.passengers[passenger]?.name ?? "",
        ...(zoneName !== undefined && { zoneName }),
      }));
      const decided = { kind, status: "verified", rejectionReason: null, awaits: null, holders } as const;
      Object.assign(documentOf(booking, documentId), { ...decided, ...(read && { read }) });
      for (const id of sameAs) documentOf(booking, id).holders = [];
      return;
    }
    case "DocumentRejected": {
      const { documentId, kind, reason, read } = event.data;
      const decided = { kind, status: "rejected", rejectionReason: reason, awaits: null, holders: [] } as const;
      Object.assign(documentOf(booking, documentId), { ...decided, ...(read && { read }) });
      return;
    }
    case "DocumentLeftToOperator": {
      const { documentId, ...read } = event.data;
      Object.assign(documentOf(booking, documentId), { ...read, awaits: "operator" });
      return;
    }
    case "UploadClosed":
      booking.uploadsClosed.push(event.data.uploadId);
      return;
    default:
      assertNever(event);
  }
}

function learnDetails(payment: Payment, details: ChargeDetails | undefined): void {
  const { method } = payment;
  if (details?.type === "card" && method.type === "card") payment.method = { ...method, card: details.card };
  if (details?.type === "wallet" && method.type === "wallet") payment.method = { ...method, wallet: details.wallet };
}

function changePrice(booking: ExistingBooking, { surcharges, totalAmount, creditGivenUp }: PriceChange): void {
  if (surcharges !== undefined) booking.surcharges = surcharges;
  if (totalAmount !== undefined) booking.totalAmount = totalAmount;
  if (creditGivenUp !== undefined) booking.creditApplied -= creditGivenUp.amount;
}

function uploaded({ at, data }: DocumentUploaded): TravelDocument {
  const { documentId, uploadId, fileName, contentType, sizeBytes, sha256 } = data;
  return {
    documentId,
    uploadId,
    fileName,
    contentType,
    sizeBytes,
    sha256,
    uploadedAt: at,
    kind: "unknown",
    status: "pending",
    rejectionReason: null,
    awaits: "reviewer",
    holders: [],
  };
}
