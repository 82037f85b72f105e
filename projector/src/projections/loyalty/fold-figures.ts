import type { LoyaltySummary } from "@travel-booking/api-contract";
import type { AccountEvent, BookingEvent, Instant, LotPart, LoyaltyEvent, PendingPoints } from "@travel-booking/domain";

/** Of the account an event is about, if it changes anything of its points. */
export type PointsEvent = AccountEvent | BookingEvent | LoyaltyEvent;

/** The account whose figures an event changes; undefined where it changes none. */
export function pointsAccountIdOf(event: PointsEvent): string | undefined {
  if (event.type === "AccountOpened") return event.data.accountId;
  const pending = pendingIn(event);
  if (pending !== undefined) return pending.accountId;
  return isLoyaltyEvent(event) ? event.data.accountId : undefined;
}

function initialFigures(accountId: string, openedAt: Instant): LoyaltySummary {
  return { accountId, openedAt, pointsBalance: 0, pointsPending: 0, lifetimePoints: 0, expiring: [] };
}

/** The figures of an account after one more event; what was given stays as it is. */
export function foldFigures(before: LoyaltySummary | undefined, event: PointsEvent, accountId: string): LoyaltySummary {
  const figures = before ?? initialFigures(accountId, event.at);
  const pending = pendingIn(event);
  if (pending !== undefined) {
    return { ...figures, pointsPending: figures.pointsPending + pending.to - pending.from };
  }
  return isLoyaltyEvent(event) ? withLoyaltyEvent(withPosting(figures, event), event) : figures;
}

function withPosting(figures: LoyaltySummary, { data }: LoyaltyEvent): LoyaltySummary {
  if (!("posting" in data) || data.posting === null) return figures;
  return { ...figures, pointsBalance: data.posting.balanceAfter };
}

function withLoyaltyEvent(figures: LoyaltySummary, event: LoyaltyEvent): LoyaltySummary {
  const { expiring } = figures;
  switch (event.type) {
    case "PointsEarned": {
      const { expiresAt, pending, lifetimeAfter: lifetimePoints, posting } = event.data;
      const pointsPending = figures.pointsPending - pending;
      const points = posting?.points ?? 0;
      return {
        ...figures,
        pointsPending,
        lifetimePoints,
        expiring: adjustExpiring(expiring, [{ expiresAt, points }], 1),
      };
    }
    case "PointsReversed": {
      const { lifetimeAfter: lifetimePoints, parts } = event.data;
      return { ...figures, lifetimePoints, expiring: adjustExpiring(expiring, parts, -1) };
    }
    case "PointsAdjusted": {
      const { expiresAt, parts, posting } = event.data;
      const added = expiresAt === null ? [] : [{ expiresAt, points: posting.points }];
      return { ...figures, expiring: adjustExpiring(adjustExpiring(expiring, parts, -1), added, 1) };
    }
    case "PointsExpired":
      return { ...figures, expiring: expiring.filter(([expiresAt]) => expiresAt > event.data.expiresAt) };
    case "PointsSetAside":
    case "PointsRedeemed":
      return { ...figures, expiring: adjustExpiring(expiring, event.data.parts, -1) };
    case "PointsFreed":
      return { ...figures, expiring: adjustExpiring(expiring, event.data.parts, 1) };
    default:
      return figures;
  }
}

type ExpiringPoints = LoyaltySummary["expiring"];

/** Points added to the months they expire with, or taken from them. */
function adjustExpiring(
  months: ExpiringPoints,
  parts: readonly Pick<LotPart, "expiresAt" | "points">[],
  sign: 1 | -1,
): ExpiringPoints {
  const sums = new Map(months);
  for (const { expiresAt, points } of parts) sums.set(expiresAt, (sums.get(expiresAt) ?? 0) + sign * points);
  return [...sums].filter(([, points]) => points !== 0).sort(([one], [other]) => one - other);
}

function pendingIn({ data }: PointsEvent): PendingPoints | undefined {
  return "pending" in data && typeof data.pending === "object" ? data.pending : undefined;
}

/** Told apart by what only events of a loyalty account are called. */
const LOYALTY_EVENT_TYPES: ReadonlySet<string> = new Set<LoyaltyEvent["type"]>([
  "PointsEarned",
  "PointsReversed",
  "PointsAdjusted",
  "PointsExpired",
  "PointsSetAside",
  "PointsRedeemed",
  "PointsFreed",
  "CreditClaimed",
  "CreditReturned",
]);

function isLoyaltyEvent(event: PointsEvent): event is LoyaltyEvent {
  return LOYALTY_EVENT_TYPES.has(event.type);
}
