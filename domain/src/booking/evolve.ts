import { FORMER_POINTS_RATE } from "../loyalty/rules.ts";
import { eraseBooking, withWords } from "../personal-data/words.ts";
import { sizeWith } from "../shared/changes.ts";
import { assertNever, type Handlers, handle, type Instant } from "../shared/decision.ts";
import type { FlightTimes } from "../shared/flight-change.ts";
import type {
  BookingAbandoned,
  BookingCancelled,
  BookingConfirmed,
  BookingCreated,
  BookingDisrupted,
  BookingDocumentsErased,
  BookingErased,
  BookingEvent,
  BookingPassengerErased,
  DocumentUploaded,
  PriceChange,
} from "./events.ts";
import type { ChargeDetails } from "./payment.ts";
import {
  type BookingState,
  type CancelledBooking,
  type ConfirmedBooking,
  caseOf,
  documentOf,
  type ExistingBooking,
  isExistingBooking,
  isGrounding,
  type Payment,
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
  if (event.type === "BookingErased") return { ...eraseBooking(state), changesSize: 0, erased: true };
  if (event.type === "BookingPassengerErased") return passengerErased(state, event);
  if (event.type === "BookingDocumentsErased") return { ...withWords(state, event.data.words), documentsErased: true };
  handle(CHANGES, event, state);
  return state;
}

function created({ at, data }: BookingCreated): PendingBooking {
  const { passengerIds: _, ...facts } = data;
  return {
    status: "pending",
    ...facts,
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
  // Whoever pays accepts the times as they are.
  const { expiresAt: _, agreed: __, ...facts } = booking;
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

function passengerErased(booking: ExistingBooking, { data }: BookingPassengerErased): ExistingBooking {
  const { erased = [] } = booking;
  const all = erased === true || [...erased, data.passenger];
  return { ...withWords(booking, data.words), changesSize: 0, erased: all };
}

type StatusEvent =
  | BookingCreated
  | BookingAbandoned
  | BookingConfirmed
  | BookingCancelled
  | BookingErased
  | BookingPassengerErased
  | BookingDocumentsErased;

/** The effects of events that change neither the status nor the personal words. */
const CHANGES: Handlers<Exclude<BookingEvent, StatusEvent>, [booking: ExistingBooking], void> = {
  BookingChanged({ data }, booking) {
    const { reference, passengers, seats, metadata, changeId, surchargesDue } = data;
    booking.changesSize = sizeWith(booking, { data });
    if (reference !== undefined) booking.reference = reference;
    if (passengers !== undefined) booking.passengers = passengers;
    if (seats !== undefined) booking.seats = seats;
    if (seats !== undefined && seats.length > 0) delete booking.unplaced;
    if (metadata !== undefined) booking.metadata = metadata;
    // A client's own seats have their own price; those of another ship leave it due.
    if (seats !== undefined && changeId !== null) delete booking.surchargesDue;
    if (surchargesDue !== undefined) booking.surchargesDue = surchargesDue;
    if (changeId !== null) booking.changesApplied.push(changeId);
    changePrice(booking, data);
  },
  NoteAdded({ data }, booking) {
    booking.changesSize = sizeWith(booking, { data });
  },
  SeatChangeClosed({ data }, booking) {
    booking.changesClosed.push(data.changeId);
  },

  BookingDisrupted({ at, data }, booking) {
    const { flightRevision: _, refundAmount = 0, unplaced: __, ...facts } = data;
    const open = { status: "open", outcome: null, refundAmount, resolvedAt: null } as const;
    followed(booking, data);
    agree(booking, facts.before);
    booking.cases = [...(booking.cases ?? []), { ...facts, revision: 1, createdAt: at, ...open }];
  },
  CaseRevised({ data }, booking) {
    const { flightRevision: _, refundAmount = 0, unplaced: __, ...facts } = data;
    const found = caseOf(booking, facts.caseId);
    agree(booking, facts.before);
    followed(booking, data);
    const { caseId, disruptionId, kind, reason, significant, before, after, respondBy, onSilence } = found;
    // Another flight that takes the place is no other disruption.
    const isSame = disruptionId === facts.disruptionId;
    const former = isSame
      ? found.former
      : { caseId, disruptionId, kind, reason, significant, before, after, respondBy, onSilence };
    const unanswered = { respondBy: null, onSilence: null } as const;
    const counted = { refundAmount: found.refundAmount + refundAmount, revision: found.revision + 1 };
    Object.assign(found, { ...unanswered, ...facts, ...(former && { former }), ...counted });
  },
  CabinChanged({ data }, booking) {
    booking.changesApplied.push(data.changeId);
    booking.cabin = data.cabin;
    booking.fareAmount = data.fareAmount;
    booking.seats = [];
    delete booking.unplaced;
    changePrice(booking, data);
  },
  BookingMoved({ data }, booking) {
    const { caseId, moveId, flightId, departsAt, seats, flightRevision } = data;
    booking.moves = [...(booking.moves ?? []), { moveId, caseId, left: booking.flightId }];
    booking.changesApplied.push(moveId);
    departsAgain(booking, departsAt);
    booking.flightId = flightId;
    booking.seats = seats;
    booking.flightRevision = flightRevision;
    delete booking.flightCancelled;
    delete booking.unplaced;
    changePrice(booking, data);
  },
  CaseResolved({ at, data: { caseId, reinstatedBy, departsAt: _, ...result } }, booking) {
    Object.assign(caseOf(booking, caseId), { ...result, status: "resolved", resolvedAt: at });
    if (reinstatedBy !== undefined) {
      booking.flightRevision = reinstatedBy;
      delete booking.flightCancelled;
    }
    if (result.outcome !== null) delete booking.agreed;
  },
  DepartureMoved({ data: { departsAt, expiresAt } }, booking) {
    departsAgain(booking, departsAt);
    if (booking.status !== "pending" || expiresAt === undefined) return;
    booking.expiresAt = expiresAt;
    for (const payment of booking.payments) {
      const { method } = payment;
      if (payment.status !== "pending" || method.type !== "bank_transfer") continue;
      payment.method = { ...method, bankTransfer: { ...method.bankTransfer, dueAt: expiresAt } };
    }
  },

  PaymentStarted({ data, at }, booking) {
    const outcome = { status: "pending", failureCode: null } as const;
    booking.payments.push({ ...data, createdAt: at, ...outcome, refunds: [], entries: [], disputes: [] });
    if (booking.status === "pending" && data.method.type === "bank_transfer")
      booking.expiresAt = data.method.bankTransfer.dueAt;
  },
  PaymentSucceeded({ data: { paymentId, details, pending } }, booking) {
    const payment = paymentOf(booking, paymentId);
    payment.status = "succeeded";
    payment.failureCode = null;
    learnDetails(payment, details);
    booking.pendingPoints = pending?.to ?? booking.pendingPoints;
  },
  PaymentFailed({ data: { paymentId, failureCode, details, barred } }, booking) {
    const payment = paymentOf(booking, paymentId);
    payment.status = "failed";
    payment.failureCode = failureCode;
    if (barred) payment.barred = barred;
    learnDetails(payment, details);
  },
  PaymentWithdrawn({ data: { paymentId } }, booking) {
    booking.payments = booking.payments.filter((payment) => payment.paymentId !== paymentId);
    booking.paymentsWithdrawn = [...(booking.paymentsWithdrawn ?? []), paymentId];
  },
  PaymentDisputed({ data: { paymentId, ...dispute } }, booking) {
    const payment = paymentOf(booking, paymentId);
    payment.disputes = [...payment.disputes.filter(({ disputeId }) => disputeId !== dispute.disputeId), dispute];
  },
  TransferReceived({ at, data: { paymentId, ...entry } }, booking) {
    paymentOf(booking, paymentId).entries.push({ ...entry, receivedAt: at });
  },
  TransferReversed({ data: { entryId, paymentId, reason, reversals, departed, pending } }, booking) {
    const payment = paymentOf(booking, paymentId);
    const entry = payment.entries.find((each) => each.entryId === entryId);
    if (entry === undefined) throw new Error(`entry ${entryId} was reversed but never received`);
    payment.entries = payment.entries.filter((each) => each !== entry);
    payment.reversed = [...(payment.reversed ?? []), { ...entry, reason, reversals, ...(departed && { departed }) }];
    booking.returns = booking.returns.filter((due) => due.entryId !== entryId);
    booking.pendingPoints = pending?.to ?? booking.pendingPoints;
  },
  ReturnDue({ at, data }, booking) {
    booking.returns.push({ ...data, createdAt: at, status: "due" });
  },
  ReturnSent({ data: { returnId } }, booking) {
    const due = booking.returns.find((each) => each.returnId === returnId);
    if (due === undefined) throw new Error(`return ${returnId} was sent but never due`);
    due.status = "sent";
  },
  RefundStarted({ at, data }, booking) {
    const { pending, departed: _, keepsLessThanHalf: __, ...refund } = data;
    const beginning = { createdAt: at, status: "pending", attempt: 1, checks: 0, failure: null } as const;
    paymentOf(booking, refund.paymentId).refunds.push({ ...refund, ...beginning });
    booking.pendingPoints = pending?.to ?? booking.pendingPoints;
  },
  RefundClosed({ data }, booking) {
    booking.refundsClosed = [...(booking.refundsClosed ?? []), data.refundId];
  },
  RefundSucceeded({ data }, booking) {
    refundOf(booking, data.refundId).status = "succeeded";
  },
  RefundAwaited({ data }, booking) {
    refundOf(booking, data.refundId).checks = data.checks;
  },
  RefundFailed({ data: { refundId, attempt, reason } }, booking) {
    Object.assign(refundOf(booking, refundId), { status: "pending", failure: { attempt, reason } });
  },
  RefundRetried({ data: { refundId, attempt } }, booking) {
    Object.assign(refundOf(booking, refundId), { attempt, checks: 0 });
  },

  CreditApplied({ data: { redemptionId, amount, totalAmount } }, booking) {
    booking.rewards.push({ redemptionId, reward: "booking_credit", amount });
    booking.creditApplied += amount;
    booking.totalAmount = totalAmount;
  },
  CabinUpgraded({ data }, booking) {
    const { redemptionId, cabin } = data;
    booking.rewards.push({ redemptionId, reward: "cabin_upgrade", amount: 0 });
    booking.changesApplied.push(redemptionId);
    booking.cabin = cabin;
    booking.seats = [];
    delete booking.unplaced;
    changePrice(booking, data);
  },
  RewardAdded({ data }, booking) {
    booking.rewards.push({ ...data, amount: 0 });
  },
  RedemptionClosed({ data }, booking) {
    booking.redemptionsClosed.push(data.redemptionId);
  },
  BookingFlown(_, booking) {
    booking.flown = true;
  },

  DocumentUploaded(event, booking) {
    booking.documents.push(uploaded(event));
  },
  DocumentVerified({ data: { documentId, kind, passengers, zoneName, read, sameAs = [] } }, booking) {
    const holders = passengers.map((passenger) => ({
      passenger,
      name: booking.passengers[passenger]?.name ?? "",
      ...(zoneName !== undefined && { zoneName }),
    }));
    const document = documentOf(booking, documentId);
    // An operator's event never says what was read. The oldest ones of the reviewer say the name alone.
    const byReviewer = read !== undefined || (document.awaits === "reviewer" && zoneName !== undefined);
    const decided = { kind, status: "verified", rejectionReason: null, awaits: null, holders } as const;
    Object.assign(document, { ...decided, decidedByOperator: !byReviewer, ...(read && { read }) });
    for (const id of sameAs) documentOf(booking, id).holders = [];
  },
  DocumentRejected({ data: { documentId, kind, reason, read, byOperator } }, booking) {
    const document = documentOf(booking, documentId);
    // Former events don't say who rejected, but a document that waits for the reviewer no more is the operator's.
    const decidedByOperator = byOperator ?? document.awaits !== "reviewer";
    const decided = { kind, status: "rejected", rejectionReason: reason, awaits: null, holders: [] } as const;
    Object.assign(document, { ...decided, decidedByOperator, ...(read && { read }) });
  },
  DocumentLeftToOperator({ data: { documentId, ...read } }, booking) {
    Object.assign(documentOf(booking, documentId), { ...read, awaits: "operator" });
  },
  DocumentReopened({ data: { documentId } }, booking) {
    Object.assign(documentOf(booking, documentId), { status: "pending", rejectionReason: null, awaits: "reviewer" });
  },
  UploadClosed({ data }, booking) {
    booking.uploadsClosed.push(data.uploadId);
  },
};

function followed(booking: ExistingBooking, told: BookingDisrupted["data"]): void {
  booking.flightRevision = told.flightRevision;
  if (told.unplaced) booking.unplaced = true;
  else if (told.kind === "equipment_changed") delete booking.unplaced;
  if (isGrounding(told)) booking.flightCancelled = true;
  else delete booking.flightCancelled;
}

/** Another duration alone moves no departure. */
function departsAgain(booking: ExistingBooking, departsAt: Instant): void {
  if (departsAt !== booking.departsAt)
    booking.formerDepartures = [...(booking.formerDepartures ?? []), booking.departsAt];
  booking.departsAt = departsAt;
}

/** Until the traveller answers, or pays. */
function agree(booking: ExistingBooking, { departsAt, durationDays }: FlightTimes): void {
  booking.agreed = { departsAt, durationDays };
}

function learnDetails(payment: Payment, details: ChargeDetails | undefined): void {
  const { method } = payment;
  if (details?.type === "card" && method.type === "card") payment.method = { ...method, card: details.card };
  if (details?.type === "wallet" && method.type === "wallet") payment.method = { ...method, wallet: details.wallet };
}

function changePrice(booking: ExistingBooking, { surcharges, totalAmount, creditGivenUp }: PriceChange): void {
  if (surcharges !== undefined) {
    booking.surcharges = surcharges;
    delete booking.surchargesDue;
  }
  if (totalAmount !== undefined) booking.totalAmount = totalAmount;
  if (creditGivenUp !== undefined) booking.creditApplied -= creditGivenUp.amount;
}

function uploaded({ at, data }: DocumentUploaded): TravelDocument {
  return {
    ...data,
    uploadedAt: at,
    kind: "unknown",
    status: "pending",
    rejectionReason: null,
    awaits: "reviewer",
    holders: [],
  };
}
