import { accept, assertNever, type Decider, type Instant } from "../shared/decision.ts";
import { assignSeatsToBooking, changeBooking, closeSeatChange } from "./change-booking.ts";
import type { BookingCommand, BookingDecision, BookingRejectionCode } from "./commands.ts";
import { closeUpload, recordDocumentReading, rejectDocument, uploadDocument, verifyDocument } from "./documents.ts";
import { applyEvents, dueEventsToRecord } from "./due-events.ts";
import type { BookingEvent } from "./events.ts";
import { evolveBooking } from "./evolve.ts";
import { abandonBooking, cancelBooking, createBooking, eraseBooking } from "./lifecycle.ts";
import { awaitRefund, failRefund, refundPayment, retryRefund, settleRefund } from "./refunds.ts";
import { addReward, applyCredit, closeRedemption, recordDeparture, upgradeCabin, withPointChanges } from "./rewards.ts";
import type { BookingState } from "./state.ts";
import { recordDispute, recordPaymentOutcome, startBankTransfer, startPayment } from "./take-payment.ts";
import { markReturnSent, receiveTransfer } from "./transfers.ts";

/**
 * The rules of one booking and its money. Due events are recorded first, and the command is decided on the state
 * after them.
 */
export const bookingDecider: Decider<BookingCommand, BookingState, BookingEvent, BookingRejectionCode> = {
  initialState: () => ({ status: "none" }),
  decide(command, state, at) {
    const lapsed = dueEventsToRecord(state, at);
    const booking = applyEvents(state, lapsed);
    const decision = decideCommand(command, booking, at);
    const events = withPointChanges(booking, decision.events, at);
    return { ...decision, events: lapsed.length === 0 ? events : [...lapsed, ...events] };
  },
  evolve: evolveBooking,
  copy: (state) => structuredClone(state),
};

function decideCommand(command: BookingCommand, state: BookingState, at: Instant): BookingDecision {
  switch (command.type) {
    case "CreateBooking":
      return createBooking(command, state, at);
    case "AbandonBooking":
      return abandonBooking(command, state, at);
    case "ChangeBooking":
      return changeBooking(command, state, at);
    case "AssignSeatsToBooking":
      return assignSeatsToBooking(command, state, at);
    case "CloseSeatChange":
      return closeSeatChange(command, state, at);
    case "CancelBooking":
      return cancelBooking(command, state, at);
    case "EraseBooking":
      return eraseBooking(command, state, at);
    case "StartPayment":
      return startPayment(command, state, at);
    case "StartBankTransfer":
      return startBankTransfer(command, state, at);
    case "RecordPaymentOutcome":
      return recordPaymentOutcome(command, state, at);
    case "ReceiveTransfer":
      return receiveTransfer(command, state, at);
    case "MarkReturnSent":
      return markReturnSent(command, state, at);
    case "RefundPayment":
      return refundPayment(command, state, at);
    case "SettleRefund":
      return settleRefund(command, state, at);
    case "AwaitRefund":
      return awaitRefund(command, state, at);
    case "FailRefund":
      return failRefund(command, state, at);
    case "RetryRefund":
      return retryRefund(command, state, at);
    case "RecordDispute":
      return recordDispute(command, state, at);
    case "ExpireBooking":
      return accept();
    case "UploadDocument":
      return uploadDocument(command, state, at);
    case "RecordDocumentReading":
      return recordDocumentReading(command, state, at);
    case "VerifyDocument":
      return verifyDocument(command, state, at);
    case "RejectDocument":
      return rejectDocument(command, state, at);
    case "CloseUpload":
      return closeUpload(command, state, at);
    case "ApplyCredit":
      return applyCredit(command, state, at);
    case "UpgradeCabin":
      return upgradeCabin(command, state, at);
    case "AddReward":
      return addReward(command, state, at);
    case "CloseRedemption":
      return closeRedemption(command, state, at);
    case "RecordDeparture":
      return recordDeparture(state, at);
    default:
      return assertNever(command);
  }
}
