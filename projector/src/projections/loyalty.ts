import type { LoyaltyTransactionBody } from "@travel-booking/api-contract";
import { type LoyaltySummary, loyaltyAccountBody, timestamp } from "@travel-booking/api-contract/bodies";
import {
  type AccountEvent,
  afterDebt,
  type BookingEvent,
  type Instant,
  type LotPart,
  type LoyaltyEvent,
  lastSpendableDay,
  type PendingPoints,
  type Reward,
  totalPoints,
} from "@travel-booking/domain";
import type { RecordedEvent } from "@travel-booking/engines/event-store";
import { positionSort, type Write } from "@travel-booking/engines/read-store";
import { LOYALTY, ownedKey } from "@travel-booking/read-models";
import {
  type Change,
  foldedModel,
  type Handler,
  type Projection,
  type Recorded,
  recorded,
  wholeDocument,
} from "../projection.ts";

const { account, transaction } = LOYALTY;
const { model } = account;

/** Handles events of three kinds of streams; each names its account. */
function loyaltyHandler(others: (event: RecordedEvent) => readonly Change[] = () => []): Handler {
  return {
    reads(event) {
      const key = pointsAccountIdOf(recorded<PointsEvent>(event));
      return key === undefined ? [] : [{ model, key }];
    },
    apply(event, documents) {
      const points = recorded<PointsEvent>(event);
      const key = pointsAccountIdOf(points);
      if (key === undefined) return [];
      const state = foldFigures(documents.state<LoyaltySummary>(model, key), points, key);
      return [...others(event), { kind: "fold", model, key, state }];
    },
  };
}

/** The points of accounts and their transactions. */
export const loyalty: Projection = {
  name: LOYALTY.projection,
  version: LOYALTY.version,
  models: {
    [model]: foldedModel<LoyaltySummary>(
      [],
      (state) => ({ body: JSON.stringify(loyaltyAccountBody(state)), indexes: {}, staleAt: null }),
      { fixedIndexes: true },
    ),
    [transaction.model]: { indexes: [transaction.byAccount, transaction.byAccountAndType], fixedIndexes: true },
  },
  handlers: {
    account: loyaltyHandler(),
    booking: loyaltyHandler(),
    loyalty: loyaltyHandler((event) => transactionWrites(recorded<LoyaltyEvent>(event))),
  },
};

type PointsEvent = AccountEvent | BookingEvent | LoyaltyEvent;

/** The account whose points an event changes; undefined if it changes none. */
function pointsAccountIdOf(event: PointsEvent): string | undefined {
  if (event.type === "AccountOpened") return event.data.accountId;
  const pending = pendingIn(event);
  if (pending !== undefined) return pending.accountId;
  return isLoyaltyEvent(event) ? event.data.accountId : undefined;
}

function initialFigures(accountId: string, openedAt: Instant): LoyaltySummary {
  return { accountId, openedAt, pointsBalance: 0, pointsPending: 0, lifetimePoints: 0, expiring: [], debt: 0 };
}

/** The summary after one more event. Does not change `before`. */
function foldFigures(before: LoyaltySummary | undefined, event: PointsEvent, accountId: string): LoyaltySummary {
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
      const { bookingId, expiresAt, pending, lifetimeAfter: lifetimePoints, posting } = event.data;
      const pointsPending = figures.pointsPending - pending;
      const added = posting === null ? [] : [{ bookingId, expiresAt, points: posting.points }];
      return withPointsAdded({ ...figures, pointsPending, lifetimePoints }, added);
    }
    case "PointsReversed": {
      const { lifetimeAfter: lifetimePoints, parts, posting } = event.data;
      const debt = figures.debt - (posting?.points ?? 0) - totalPoints(parts);
      return { ...figures, lifetimePoints, debt, expiring: adjustExpiring(expiring, parts, -1) };
    }
    case "PointsAdjusted": {
      const { expiresAt, parts, posting } = event.data;
      const added = expiresAt === null ? [] : [{ bookingId: null, expiresAt, points: posting.points }];
      return withPointsAdded({ ...figures, expiring: adjustExpiring(expiring, parts, -1) }, added);
    }
    case "PointsExpired":
      return { ...figures, expiring: expiring.filter(([expiresAt]) => expiresAt > event.data.expiresAt) };
    case "PointsSetAside":
    case "PointsRedeemed":
      return { ...figures, expiring: adjustExpiring(expiring, event.data.parts, -1) };
    case "PointsFreed":
      return withPointsAdded(figures, event.data.parts);
    default:
      return figures;
  }
}

/** Added points pay off what the account owes; the rest can be spent. */
function withPointsAdded(figures: LoyaltySummary, parts: readonly LotPart[]): LoyaltySummary {
  const expiring = adjustExpiring(figures.expiring, afterDebt(figures.debt, parts), 1);
  return { ...figures, expiring, debt: Math.max(0, figures.debt - totalPoints(parts)) };
}

type ExpiringPoints = LoyaltySummary["expiring"];

/** Adds points to the dates they expire on, or subtracts them. */
function adjustExpiring(months: ExpiringPoints, parts: readonly LotPart[], sign: 1 | -1): ExpiringPoints {
  const sums = new Map(months);
  for (const { expiresAt, points } of parts) sums.set(expiresAt, (sums.get(expiresAt) ?? 0) + sign * points);
  return [...sums].filter(([, points]) => points !== 0).sort(([one], [other]) => one - other);
}

function pendingIn({ data }: PointsEvent): PendingPoints | undefined {
  return "pending" in data && typeof data.pending === "object" ? data.pending : undefined;
}

/** Only events of a loyalty account have these types. */
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

const REWARD_LABELS: Readonly<Record<Reward, string>> = {
  cabin_upgrade: "a cabin upgrade",
  booking_credit: "a booking credit",
  extra_baggage: "extra baggage",
  lounge_access: "lounge access",
};

type TransactionDescription = Pick<LoyaltyTransactionBody, "type" | "bookingId" | "description">;

/** The text of a transaction; undefined for events that never post points. */
function describeTransaction(event: LoyaltyEvent): TransactionDescription | undefined {
  switch (event.type) {
    case "PointsEarned": {
      const { bookingId } = event.data;
      return { type: "earn", bookingId, description: `Earned with booking ${bookingId}` };
    }
    case "PointsReversed": {
      const { bookingId } = event.data;
      return { type: "adjust", bookingId, description: `Taken back after a refund of booking ${bookingId}` };
    }
    case "PointsAdjusted":
      return { type: "adjust", bookingId: null, description: event.data.reason };
    case "PointsExpired":
      return { type: "expire", bookingId: null, description: `Expired on ${lastSpendableDay(event.data.expiresAt)}` };
    case "PointsRedeemed": {
      const { reward, bookingId } = event.data;
      return { type: "redeem", bookingId, description: `Redeemed for ${REWARD_LABELS[reward]}` };
    }
    default:
      return undefined;
  }
}

/** The transaction an event posts, if it posts one. */
function transactionWrites(event: Recorded<LoyaltyEvent>): readonly Write[] {
  const described = describeTransaction(event);
  if (described === undefined || !("posting" in event.data) || event.data.posting === null) return [];
  const { accountId, posting } = event.data;
  const { id, points, balanceAfter } = posting;
  const { type, bookingId, description } = described;
  const body: LoyaltyTransactionBody = {
    id,
    type,
    points,
    balanceAfter,
    bookingId,
    description,
    createdAt: timestamp(event.at),
  };
  const { model, byAccount, byAccountAndType } = LOYALTY.transaction;
  const sort = positionSort(event.position);
  return [
    wholeDocument(model, {
      key: ownedKey(accountId, id),
      position: event.position,
      body: JSON.stringify(body),
      indexes: {
        [byAccount]: { partition: accountId, sort },
        [byAccountAndType]: { partition: ownedKey(accountId, type), sort },
      },
    }),
  ];
}
