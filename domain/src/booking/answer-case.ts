import { accept, type Instant, reject } from "../shared/decision.ts";
import { DAY, HOUR } from "../shared/time.ts";
import type { BookingHandlers, CaseAnswer } from "./commands.ts";
import { endedEvents } from "./end-booking.ts";
import type { BookingEvent, CaseOutcome } from "./events.ts";
import { caseResolved } from "./rules.ts";
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
  const isCancelled = kind === "cancelled";
  const cause = isCancelled ? "flight_cancelled" : "requested";
  const refunds = isCancelled ? "flight_cancelled" : "other";
  return endedEvents(booking, { cause, reason: null, refunds, resolves: { caseId } }, at);
}

/** What happens by `at` because nobody has answered in time. */
export function silenceEvents(booking: ExistingBooking, at: Instant): readonly BookingEvent[] {
  const open = openCase(booking);
  const silentAt = silenceDueAt(booking);
  if (open === undefined || silentAt === null || at < silentAt) return [];
  return open.onSilence === "refund"
    ? refundedEvents(booking, open, at)
    : [caseResolved(open.caseId, "accepted", 0, at)];
}

/** When silence decides a case; null: none waits for an answer. */
export function silenceDueAt(booking: ExistingBooking): Instant | null {
  const { onSilence = null, respondBy = null } = openCase(booking) ?? {};
  return onSilence === null ? null : respondBy;
}

/** What the client may do by now. */
export function actionsOf({ status, after, respondBy = null }: DisruptionCase): readonly CaseAnswer[] {
  if (status === "resolved" || respondBy === null) return [];
  return after === null ? ["refund"] : ["accept", "refund"];
}

const OUTCOMES: Readonly<Record<CaseAnswer, CaseOutcome>> = { accept: "accepted", refund: "refunded" };

export const answerHandlers = {
  /** The same answer again: a no-op. What nobody has answered in time is resolved before this is decided. */
  AnswerCase({ accountId, caseId, revision, answer }, state, at) {
    const booking = bookingOf(state, accountId);
    const found = booking && casesOf(booking).find((each) => each.caseId === caseId);
    if (booking === undefined || found === undefined) return reject("disruption_not_found");
    if (found.status === "resolved")
      return found.outcome === OUTCOMES[answer] ? accept() : reject("disruption_resolved");
    if (revision !== found.revision) return reject("disruption_superseded", { revision: found.revision });
    if (answer === "refund") return accept(...refundedEvents(booking, found, at));
    return found.after === null ? reject("nothing_to_accept") : accept(caseResolved(caseId, "accepted", 0, at));
  },
} satisfies Partial<BookingHandlers>;
