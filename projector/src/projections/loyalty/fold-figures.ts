import type { LoyaltyFigures } from "@travel-booking/api-contract";
import type { AccountEvent, BookingEvent, Instant, LoyaltyEvent, Part, PendingPoints } from "@travel-booking/domain";

/** Of the account an event is about, if it changes anything of its points. */
export type PointsEvent = AccountEvent | BookingEvent | LoyaltyEvent;

/** The account whose figures an event changes; undefined where it changes none. */
export function accountConcerned(event: PointsEvent): string | undefined {
  if (event.type === "AccountOpened") return event.data.accountId;
  const pending = pendingIn(event);
  if (pending !== undefined) return pending.accountId;
  return isOfLoyalty(event) ? event.data.accountId : undefined;
}

function newcomer(accountId: string, openedAt: Instant): LoyaltyFigures {
  return { accountId, openedAt, pointsBalance: 0, pointsPending: 0, lifetimePoints: 0, expiring: [] };
}

/** The figures of an account after one more event; what was given stays as it is. */
export function foldFigures(before: LoyaltyFigures | undefined, event: PointsEvent, accountId: string): LoyaltyFigures {
  const figures = before ?? newcomer(accountId, event.at);
  const pending = pendingIn(event);
  if (pending !== undefined) {
    return { ...figures, pointsPending: figures.pointsPending + pending.to - pending.from };
  }
  return isOfLoyalty(event) ? folded(posted(figures, event), event) : figures;
}

function posted(figures: LoyaltyFigures, { data }: LoyaltyEvent): LoyaltyFigures {
  if (!("posting" in data) || data.posting === null) return figures;
  return { ...figures, pointsBalance: data.posting.balanceAfter };
}

function folded(figures: LoyaltyFigures, event: LoyaltyEvent): LoyaltyFigures {
  const { expiring } = figures;
  switch (event.type) {
    case "PointsEarned": {
      const { expiresAt, pending, lifetimeAfter: lifetimePoints, posting } = event.data;
      const pointsPending = figures.pointsPending - pending;
      const points = posting?.points ?? 0;
      return { ...figures, pointsPending, lifetimePoints, expiring: moved(expiring, [{ expiresAt, points }], 1) };
    }
    case "PointsReversed": {
      const { lifetimeAfter: lifetimePoints, parts } = event.data;
      return { ...figures, lifetimePoints, expiring: moved(expiring, parts, -1) };
    }
    case "PointsAdjusted": {
      const { expiresAt, parts, posting } = event.data;
      const added = expiresAt === null ? [] : [{ expiresAt, points: posting.points }];
      return { ...figures, expiring: moved(moved(expiring, parts, -1), added, 1) };
    }
    case "PointsExpired":
      return { ...figures, expiring: expiring.filter(([expiresAt]) => expiresAt > event.data.expiresAt) };
    case "PointsSetAside":
    case "PointsRedeemed":
      return { ...figures, expiring: moved(expiring, event.data.parts, -1) };
    case "PointsFreed":
      return { ...figures, expiring: moved(expiring, event.data.parts, 1) };
    default:
      return figures;
  }
}

type Months = LoyaltyFigures["expiring"];

/** Points added to the months they expire with, or taken from them. */
function moved(months: Months, parts: readonly Pick<Part, "expiresAt" | "points">[], sign: 1 | -1): Months {
  const sums = new Map(months);
  for (const { expiresAt, points } of parts) sums.set(expiresAt, (sums.get(expiresAt) ?? 0) + sign * points);
  return [...sums].filter(([, points]) => points !== 0).sort(([one], [other]) => one - other);
}

function pendingIn({ data }: PointsEvent): PendingPoints | undefined {
  return "pending" in data && typeof data.pending === "object" ? data.pending : undefined;
}

/** Told apart by what only events of a loyalty account are called. */
const OF_LOYALTY: ReadonlySet<string> = new Set<LoyaltyEvent["type"]>([
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

function isOfLoyalty(event: PointsEvent): event is LoyaltyEvent {
  return OF_LOYALTY.has(event.type);
}
