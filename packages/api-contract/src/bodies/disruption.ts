import type { DisruptionCase, Journey } from "@travel-booking/domain";
import type { DisruptionBody } from "../resources/disruption.ts";
import { timestamp } from "./timestamp.ts";

/** A case of a booking. So far none leaves anything to answer. */
export function disruptionBody(bookingId: string, one: DisruptionCase): DisruptionBody {
  const { caseId: id, disruptionId, kind, significant, reason, revision, status, before, after } = one;
  const { outcome, refundAmount, createdAt, resolvedAt } = one;
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
    actions: [],
    respondBy: null,
    onSilence: null,
    outcome,
    refundAmount,
    createdAt: timestamp(createdAt),
    resolvedAt: resolvedAt === null ? null : timestamp(resolvedAt),
  };
}

function journeyBody({ flightId, departsAt, durationDays, cabin, seats }: Journey): DisruptionBody["before"] {
  return { flightId, departsAt: timestamp(departsAt), durationDays, cabin, seats: [...seats] };
}
