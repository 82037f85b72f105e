import type { BookingEvent } from "../booking/events.ts";
import type { FlightEvent } from "../flight/events.ts";
import { MINUTE, SECOND } from "../shared/time.ts";
import { type DueTask, type DueTaskChanges, dueTaskKey } from "./due-task.ts";

/** What was left unfinished is taken up by others after this long (docs/rules.md#recovery-grace). */
export const RECOVERY_GRACE = MINUTE;
/** Follow-ups that are harmless to do twice at the same moment need not wait that long. */
export const FOLLOW_UP_GRACE = SECOND;

const NONE: DueTaskChanges = { opened: [], closed: [] };

/** What an event of the flight `flightId` opens and closes. */
export function dueTasksOfFlight(flightId: string, event: FlightEvent): DueTaskChanges {
  switch (event.type) {
    case "SeatsHeld": {
      const { holdId, expiresAt } = event.data;
      return open({ kind: "expire_hold", flightId, holdId, dueAt: expiresAt }, holdId);
    }
    case "SeatHoldReleased":
    case "SeatHoldExpired":
      return { opened: [], closed: [dueTaskKey("expire_hold", event.data.holdId)] };
    case "SeatsAllocated": {
      const { bookingId, holdId } = event.data;
      return open(
        { kind: "claim_allocation", flightId, bookingId, dueAt: event.at + RECOVERY_GRACE },
        bookingId,
        usedHold(holdId),
      );
    }
    case "SeatChangeReserved": {
      const { bookingId, changeId, holdId } = event.data;
      return open(
        { kind: "finish_seat_change", flightId, bookingId, changeId, dueAt: event.at + RECOVERY_GRACE },
        bookingId,
        usedHold(holdId),
      );
    }
    case "SeatChangeApplied":
    case "SeatChangeDropped":
      return { opened: [], closed: [dueTaskKey("finish_seat_change", event.data.bookingId)] };
    case "AllocationReleased": {
      const { bookingId } = event.data;
      return {
        opened: [],
        closed: [
          dueTaskKey("claim_allocation", bookingId),
          dueTaskKey("finish_seat_change", bookingId),
          dueTaskKey("release_seats", bookingId),
        ],
      };
    }
    default:
      return NONE;
  }
}

/** What an event of the booking `bookingId` opens and closes, brought about by the account `accountId`, if by one. */
export function dueTasksOfBooking(bookingId: string, event: BookingEvent, accountId: string | null): DueTaskChanges {
  switch (event.type) {
    case "BookingCreated": {
      const closed = [dueTaskKey("claim_allocation", bookingId)];
      const { expiresAt } = event.data;
      return expiresAt === null
        ? { opened: [], closed }
        : open({ kind: "expire_booking", bookingId, dueAt: expiresAt }, bookingId, closed);
    }
    case "BookingConfirmed":
      return { opened: [], closed: [dueTaskKey("expire_booking", bookingId)] };
    case "BookingCancelled": {
      // No request gives back the seats of a booking that ran out of time.
      const dueAt = event.data.cause === "requested" ? event.at + FOLLOW_UP_GRACE : event.at;
      return open({ kind: "release_seats", bookingId, dueAt }, bookingId, [dueTaskKey("expire_booking", bookingId)]);
    }
    case "PaymentStarted": {
      const { paymentId, method } = event.data;
      return method.type === "bank_transfer"
        ? open({ kind: "expire_booking", bookingId, dueAt: method.bankTransfer.dueAt }, bookingId)
        : open({ kind: "close_payment", bookingId, paymentId, dueAt: event.at + RECOVERY_GRACE }, paymentId);
    }
    case "PaymentSucceeded":
    case "PaymentFailed":
      return { opened: [], closed: [dueTaskKey("close_payment", event.data.paymentId)] };
    case "RefundStarted": {
      const { refundId, paymentId, amount, currency, settlesAt } = event.data;
      return settlesAt === null
        ? open(
            {
              kind: "send_refund",
              bookingId,
              refundId,
              paymentId,
              amount,
              currency,
              dueAt: event.at + FOLLOW_UP_GRACE,
            },
            refundId,
          )
        : open({ kind: "settle_refund", bookingId, refundId, dueAt: settlesAt }, refundId);
    }
    case "RefundSucceeded": {
      const { refundId } = event.data;
      return { opened: [], closed: [dueTaskKey("send_refund", refundId), dueTaskKey("settle_refund", refundId)] };
    }
    case "DocumentUploaded": {
      const { documentId } = event.data;
      return open({ kind: "review_document", bookingId, documentId, accountId, dueAt: event.at }, documentId);
    }
    case "DocumentVerified":
    case "DocumentRejected":
    case "DocumentLeftToOperator":
      return { opened: [], closed: [dueTaskKey("review_document", event.data.documentId)] };
    default:
      return NONE;
  }
}

function open(task: DueTask, subjectId: string, closed: readonly string[] = []): DueTaskChanges {
  return { opened: [{ key: dueTaskKey(task.kind, subjectId), dueTask: task }], closed };
}

function usedHold(holdId: string | null): readonly string[] {
  return holdId === null ? [] : [dueTaskKey("expire_hold", holdId)];
}
