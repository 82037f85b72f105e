import { accept, type Instant, reject } from "../shared/decision.ts";
import { DAY, HOUR } from "../shared/time.ts";
import type { AnswerCase, BookingHandlers, CaseAnswer } from "./commands.ts";
import { endedEvents } from "./end-booking.ts";
import type { BookingEvent, CaseOutcome } from "./events.ts";
import { caseResolved, refundReasonOf } from "./rules.ts";
import { bookingOf, casesOf, type DisruptionCase, type ExistingBooking, openCase } from "./state.ts";

/** Until when a client may answer a case that it is told of now (docs/rules.md#disruptions). */
export function respondByOf(at: Instant, departsAt: Instant): Instant {
  return Math.min(departsAt, Math.max(at + 2 * HOUR, Math.min(at + 7 * DAY, departsAt - DAY)));
}

/** The booking ends by its disruption. Everything paid and not refunded goes back, whatever the time. */
export function refundedEvents(
  booking: ExistingBooking,
  { caseId, kind }: Pick<DisruptionCase, "caseId" | "kind">,
  at: Instant,
): readonly BookingEvent[] {
  const cause = kind === "cancelled" ? "flight_cancelled" : "requested";
  const refunds = refundReasonOf({ kind });
  return endedEvents(booking, { cause, reason: null, refunds, resolves: { caseId } }, at);
}

/** What happens by `at` because nobody has answered in time. */
export function silenceEvents(booking: ExistingBooking, at: Instant): readonly BookingEvent[] {
  const open = openCase(booking);
  const silentAt = silenceDueAt(booking);
  if (silentAt === null || at < silentAt) return [];
  if (staysBehind(booking)) return endedEvents(booking, { cause: "requested", reason: null, refunds: "other" }, at);
  if (open === undefined) return [];
  if (open.onSilence === "refund") return refundedEvents(booking, open, at);
  return [caseResolved(open.caseId, open.kind === "cancelled" ? "moved" : "accepted", open.refundAmount, at)];
}

/** When silence decides a case, or the flight departs without the booking; null: nothing waits for an answer. */
export function silenceDueAt(booking: ExistingBooking): Instant | null {
  if (staysBehind(booking)) return booking.departsAt;
  const { onSilence = null, respondBy = null } = openCase(booking) ?? {};
  return onSilence === null ? null : respondBy;
}

/** It has no place on a flight that is going to depart. */
function staysBehind({ unplaced, flightCancelled }: ExistingBooking): boolean {
  return unplaced === true && flightCancelled !== true;
}

/** What the client may do by now. */
export function actionsOf({ status, after, respondBy = null }: DisruptionCase): readonly CaseAnswer[] {
  if (status === "resolved" || respondBy === null) return [];
  return after === null ? ["rebook", "refund"] : ["accept", "rebook", "refund"];
}

export const OUTCOMES = { accept: "accepted", rebook: "rebooked", refund: "refunded" } as const satisfies Readonly<
  Record<CaseAnswer, CaseOutcome>
>;

/** Whether the case was answered so; to move, with the same flight. */
function isAnsweredSo({ outcome, after }: DisruptionCase, asked: AnswerCase): boolean {
  return outcome === OUTCOMES[asked.answer] && (asked.answer !== "rebook" || after?.flightId === asked.flightId);
}

export const answerHandlers = {
  /**
   * The same answer again: a no-op. What nobody has answered in time is resolved before this is decided. One that leads to another
   * flight or cabin is for `MoveBooking` or `TakeCabin`, once that has allocated places.
   */
  AnswerCase(command, state, at) {
    const { accountId, caseId, revision } = command;
    const booking = bookingOf(state, accountId);
    const found = booking && casesOf(booking).find((each) => each.caseId === caseId);
    if (booking === undefined || found === undefined) return reject("disruption_not_found");
    if (found.status === "resolved") return isAnsweredSo(found, command) ? accept() : reject("disruption_resolved");
    if (revision !== found.revision) return reject("disruption_superseded", { revision: found.revision });
    if (command.answer === "refund") return accept(...refundedEvents(booking, found, at));
    if (command.answer === "rebook")
      return reject(command.flightId === booking.flightId ? "rebook_not_allowed" : "not_moved_yet");
    if (found.after === null) return reject("nothing_to_accept");
    if (found.after.flightId !== booking.flightId || found.after.cabin !== booking.cabin)
      return reject("not_moved_yet");
    return accept(caseResolved(caseId, "accepted", found.refundAmount, at));
  },
} satisfies Partial<BookingHandlers>;
