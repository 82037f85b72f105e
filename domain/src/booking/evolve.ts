import { assertNever, type Instant } from "../shared/decision.ts";
import type {
  BookingAbandoned,
  BookingCancelled,
  BookingChanged,
  BookingCreated,
  BookingEvent,
  DocumentEvent,
  DocumentUploaded,
  PaymentFailed,
  PaymentStarted,
  PaymentSucceeded,
  PendingPoints,
  RefundStarted,
  RefundSucceeded,
  ReturnDue,
  ReturnSent,
  RewardEvent,
  TransferReceived,
} from "./events.ts";
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
  return evolveExisting(state, event);
}

function evolveExisting(
  booking: ExistingBooking,
  event: Exclude<BookingEvent, BookingCreated | BookingAbandoned>,
): ExistingBooking {
  switch (event.type) {
    case "BookingChanged":
      return changed(booking, event.data);
    case "SeatChangeClosed":
      booking.changesClosed.push(event.data.changeId);
      return booking;
    case "BookingConfirmed":
      return confirmed(booking, event.at);
    case "BookingCancelled":
      return cancelled(booking, event);
    case "PaymentStarted":
    case "PaymentSucceeded":
    case "PaymentFailed":
    case "TransferReceived":
    case "ReturnDue":
    case "ReturnSent":
    case "RefundStarted":
    case "RefundSucceeded":
      evolvePayments(booking, event);
      return booking;
    case "DocumentUploaded":
    case "DocumentVerified":
    case "DocumentRejected":
    case "DocumentLeftToOperator":
    case "UploadClosed":
      evolveDocuments(booking, event);
      return booking;
    case "CreditApplied":
    case "CabinUpgraded":
    case "RewardAdded":
    case "RedemptionClosed":
    case "BookingFlown":
      evolveRewards(booking, event);
      return booking;
    default:
      return assertNever(event);
  }
}

function created({ at, data }: BookingCreated): PendingBooking {
  return {
    status: "pending",
    bookingId: data.bookingId,
    accountId: data.accountId,
    flightId: data.flightId,
    cabin: data.cabin,
    departsAt: data.departsAt,
    createdAt: at,
    currency: data.currency,
    fareAmount: data.fareAmount,
    creditApplied: data.creditApplied,
    creditClaimed: data.creditApplied,
    passengers: data.passengers,
    seats: data.seats,
    surcharges: data.surcharges,
    totalAmount: data.totalAmount,
    reference: data.reference,
    payments: [],
    returns: [],
    changesApplied: [],
    changesClosed: [],
    documents: [],
    uploadsClosed: [],
    rewards: [],
    redemptionsClosed: [],
    pendingPoints: 0,
    flown: false,
    expiresAt: data.expiresAt,
  };
}

function changed(booking: ExistingBooking, data: BookingChanged["data"]): ExistingBooking {
  if (data.reference !== undefined) booking.reference = data.reference;
  if (data.passengers !== undefined) booking.passengers = data.passengers;
  if (data.seats !== undefined) booking.seats = data.seats;
  if (data.surcharges !== undefined) booking.surcharges = data.surcharges;
  if (data.totalAmount !== undefined) booking.totalAmount = data.totalAmount;
  if (data.creditGivenUp !== undefined) booking.creditApplied -= data.creditGivenUp.amount;
  if (data.changeId !== null) booking.changesApplied.push(data.changeId);
  return booking;
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

type PaymentEvent =
  | PaymentStarted
  | PaymentSucceeded
  | PaymentFailed
  | TransferReceived
  | ReturnDue
  | ReturnSent
  | RefundStarted
  | RefundSucceeded;

/** Folds what happened to the money of a booking into it, in place. */
function evolvePayments(booking: ExistingBooking, event: PaymentEvent): void {
  switch (event.type) {
    case "PaymentStarted": {
      const { method } = event.data;
      booking.payments.push({
        ...event.data,
        createdAt: event.at,
        status: "pending",
        failureCode: null,
        refunds: [],
        entries: [],
      });
      if (booking.status === "pending" && method.type === "bank_transfer")
        booking.expiresAt = method.bankTransfer.dueAt;
      return;
    }
    case "PaymentSucceeded":
      paymentOf(booking, event.data.paymentId).status = "succeeded";
      setPendingPoints(booking, event.data.pending);
      return;
    case "PaymentFailed": {
      const payment = paymentOf(booking, event.data.paymentId);
      payment.status = "failed";
      payment.failureCode = event.data.failureCode;
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
      const owed = booking.returns.find(({ returnId }) => returnId === event.data.returnId);
      if (owed === undefined) throw new Error(`return ${event.data.returnId} was sent but never due`);
      owed.status = "sent";
      return;
    }
    case "RefundStarted": {
      const { pending, departed: _, ...refund } = event.data;
      paymentOf(booking, refund.paymentId).refunds.push({ ...refund, createdAt: event.at, status: "pending" });
      setPendingPoints(booking, pending);
      return;
    }
    case "RefundSucceeded":
      refundOf(booking, event.data.refundId).status = "succeeded";
      return;
    default:
      assertNever(event);
  }
}

function setPendingPoints(booking: ExistingBooking, pending: PendingPoints | undefined): void {
  if (pending !== undefined) booking.pendingPoints = pending.to;
}

/** Folds what points were spent on for a booking into it, in place. */
function evolveRewards(booking: ExistingBooking, event: RewardEvent): void {
  switch (event.type) {
    case "CreditApplied": {
      const { redemptionId, amount, totalAmount } = event.data;
      booking.rewards.push({ redemptionId, reward: "booking_credit", amount });
      booking.creditApplied += amount;
      booking.totalAmount = totalAmount;
      return;
    }
    case "CabinUpgraded": {
      const { redemptionId, cabin, surcharges, totalAmount, creditGivenUp } = event.data;
      booking.rewards.push({ redemptionId, reward: "cabin_upgrade", amount: 0 });
      booking.changesApplied.push(redemptionId);
      booking.cabin = cabin;
      booking.seats = [];
      if (surcharges !== undefined) booking.surcharges = surcharges;
      if (totalAmount !== undefined) booking.totalAmount = totalAmount;
      if (creditGivenUp !== undefined) booking.creditApplied -= creditGivenUp.amount;
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
    default:
      assertNever(event);
  }
}

/** Folds what happened to the documents of a booking into it, in place. */
function evolveDocuments(booking: ExistingBooking, event: DocumentEvent): void {
  switch (event.type) {
    case "DocumentUploaded":
      booking.documents.push(uploaded(event));
      return;
    case "DocumentVerified": {
      const { documentId, kind, passengers } = event.data;
      const holders = passengers.map((passenger) => ({ passenger, name: booking.passengers[passenger]?.name ?? "" }));
      applyReviewResult(booking, documentId, {
        kind,
        status: "verified",
        rejectionReason: null,
        awaits: null,
        holders,
      });
      return;
    }
    case "DocumentRejected": {
      const { documentId, kind, reason } = event.data;
      applyReviewResult(booking, documentId, {
        kind,
        status: "rejected",
        rejectionReason: reason,
        awaits: null,
        holders: [],
      });
      return;
    }
    case "DocumentLeftToOperator": {
      const document = documentOf(booking, event.data.documentId);
      document.kind = event.data.kind;
      document.awaits = "operator";
      return;
    }
    case "UploadClosed":
      booking.uploadsClosed.push(event.data.uploadId);
      return;
    default:
      assertNever(event);
  }
}

function uploaded({ at, data }: DocumentUploaded): TravelDocument {
  const { documentId, uploadId, fileName, contentType, sizeBytes } = data;
  return {
    documentId,
    uploadId,
    fileName,
    contentType,
    sizeBytes,
    uploadedAt: at,
    kind: "unknown",
    status: "pending",
    rejectionReason: null,
    awaits: "reviewer",
    holders: [],
  };
}

type ReviewResult = Pick<TravelDocument, "kind" | "status" | "rejectionReason" | "awaits" | "holders">;

function applyReviewResult(booking: ExistingBooking, documentId: string, settled: ReviewResult): void {
  Object.assign(documentOf(booking, documentId), settled);
}
