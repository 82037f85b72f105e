import { actionsOf, type DisruptionCase, type Journey } from "@travel-booking/domain";
import type { DisruptionBody } from "../resources/disruption.ts";
import { timestamp } from "./timestamp.ts";

/** A case of a booking. */
export function disruptionBody(bookingId: string, one: DisruptionCase): DisruptionBody {
  const { caseId: id, disruptionId, kind, significant, reason, revision, status, before, after } = one;
  const { outcome, refundAmount, createdAt, resolvedAt, respondBy = null, onSilence = null } = one;
  return {
    id,
    disruptionId,
    bookingId,
    kind,
    significant,
    reason,
    revision,
    status,
    before: journeyBody(before),
    after: after && journeyBody(after),
    actions: [...actionsOf(one)],
    respondBy: respondBy === null ? null : timestamp(respondBy),
    onSilence,
    outcome,
    refundAmount,
    createdAt: timestamp(createdAt),
    resolvedAt: resolvedAt === null ? null : timestamp(resolvedAt),
  };
}

function journeyBody({ flightId, departsAt, durationDays, cabin, seats }: Journey): DisruptionBody["before"] {
  return { flightId, departsAt: timestamp(departsAt), durationDays, cabin, seats: [...seats] };
}
