import type { LoyaltyTransactionBody } from "@travel-booking/api-contract";
import { type LoyaltySummary, loyaltyAccountBody, timestamp } from "@travel-booking/api-contract/bodies";
import {
  type AccountEvent,
  afterDebt,
  type BookingEvent,
  CREDIT_CURRENCY,
  type Instant,
  type LotPart,
  type LoyaltyEvent,
  lastSpendableDay,
  type PendingPoints,
  type Reward,
  totalPoints,
} from "@travel-booking/domain";
import { LOYALTY, ownedKey } from "@travel-booking/read-models";
import {
  type DocumentPut,
  fixedModels,
  foldingHandler,
  type Handler,
  type Projection,
  placesByCreation,
  type Recorded,
} from "../projection.ts";

const { account, transaction } = LOYALTY;
const { model } = account;

/** Folds the events of one kind of stream into the points of the account that they concern, if any. */
function pointsHandler<Event extends AccountEvent | BookingEvent | LoyaltyEvent>(
  accountIdOf: (event: Event) => string | undefined,
  evolve: (summary: LoyaltySummary, event: Event) => LoyaltySummary,
  transactions?: (event: Recorded<Event>) => readonly DocumentPut[],
): Handler {
  return foldingHandler<LoyaltySummary, Event>(
    model,
    accountIdOf,
    (before, event, accountId) => evolve(before ?? initialSummary(accountId, event.at), event),
    transactions,
  );
}

/** The points of accounts and their transactions. */
export const loyalty: Projection = {
  name: LOYALTY.projection,
  version: LOYALTY.version,
  models: {
    [model]: {
      fixedIndexes: true,
      represent: (summary: LoyaltySummary) => ({ body: JSON.stringify(loyaltyAccountBody(summary)) }),
    },
    ...fixedModels(transaction),
  },
  handlers: {
    account: pointsHandler<AccountEvent>(
      (event) => (event.type === "AccountOpened" ? event.data.accountId : undefined),
      (summary) => summary,
    ),
    booking: pointsHandler<BookingEvent>((event) => pendingIn(event)?.accountId, withPendingPoints),
    loyalty: pointsHandler<LoyaltyEvent>(({ data }) => data.accountId, withLoyaltyEvent, transactionsOf),
  },
};

function initialSummary(accountId: string, openedAt: Instant): LoyaltySummary {
  return { accountId, openedAt, pointsBalance: 0, pointsPending: 0, lifetimePoints: 0, expiring: [], debt: 0 };
}

function pendingIn({ data }: BookingEvent): PendingPoints | undefined {
  return "pending" in data && typeof data.pending === "object" ? data.pending : undefined;
}

function withPendingPoints(summary: LoyaltySummary, event: BookingEvent): LoyaltySummary {
  const { from, to } = pendingIn(event) ?? { from: 0, to: 0 };
  return { ...summary, pointsPending: summary.pointsPending + to - from };
}

function withLoyaltyEvent(before: LoyaltySummary, { type, data }: LoyaltyEvent): LoyaltySummary {
  const posting = "posting" in data ? data.posting : null;
  const summary = posting === null ? before : { ...before, pointsBalance: posting.balanceAfter };
  const { expiring } = summary;
  switch (type) {
    case "PointsEarned": {
      const { bookingId, expiresAt, pending, lifetimeAfter: lifetimePoints } = data;
      const pointsPending = summary.pointsPending - pending;
      const added = posting === null ? [] : [{ bookingId, expiresAt, points: posting.points }];
      return withPointsAdded({ ...summary, pointsPending, lifetimePoints }, added);
    }
    case "PointsReversed": {
      const { lifetimeAfter: lifetimePoints, parts } = data;
      const debt = summary.debt - (posting?.points ?? 0) - totalPoints(parts);
      return { ...summary, lifetimePoints, debt, expiring: adjustExpiring(expiring, parts, -1) };
    }
    case "PointsAdjusted": {
      const { expiresAt, parts } = data;
      const added = expiresAt === null ? [] : [{ bookingId: null, expiresAt, points: data.posting.points }];
      return withPointsAdded({ ...summary, expiring: adjustExpiring(expiring, parts, -1) }, added);
    }
    case "PointsExpired":
      return { ...summary, expiring: expiring.filter(([expiresAt]) => expiresAt > data.expiresAt) };
    case "PointsSetAside":
    case "PointsRedeemed":
      return { ...summary, expiring: adjustExpiring(expiring, data.parts, -1) };
    case "PointsFreed":
      return withPointsAdded(summary, data.parts);
    case "CreditTakenBack":
      return { ...summary, debt: summary.debt - data.posting.points };
    default:
      return summary;
  }
}

/** Added points first pay the debt of the account. The rest can be spent. */
function withPointsAdded(summary: LoyaltySummary, parts: readonly LotPart[]): LoyaltySummary {
  const expiring = adjustExpiring(summary.expiring, afterDebt(summary.debt, parts), 1);
  return { ...summary, expiring, debt: Math.max(0, summary.debt - totalPoints(parts)) };
}

type ExpiringPoints = LoyaltySummary["expiring"];

/** Adds points to the dates they expire on, or subtracts them. */
function adjustExpiring(months: ExpiringPoints, parts: readonly LotPart[], sign: 1 | -1): ExpiringPoints {
  const sums = new Map(months);
  for (const { expiresAt, points } of parts) sums.set(expiresAt, (sums.get(expiresAt) ?? 0) + sign * points);
  return [...sums].filter(([, points]) => points !== 0).sort(([one], [other]) => one - other);
}

const REWARD_LABELS: Readonly<Record<Reward, string>> = {
  cabin_upgrade: "a cabin upgrade",
  booking_credit: "a booking credit",
  extra_baggage: "extra baggage",
  lounge_access: "lounge access",
};

/** The transaction an event posts, if it posts one. */
function transactionsOf(event: Recorded<LoyaltyEvent>): readonly DocumentPut[] {
  const described = describeTransaction(event);
  if (described === undefined || !("posting" in event.data) || event.data.posting === null) return [];
  const [type, bookingId, description] = described;
  const { accountId, posting } = event.data;
  const { id, points, balanceAfter } = posting;
  const createdAt = timestamp(event.at);
  const body: LoyaltyTransactionBody = { id, type, points, balanceAfter, bookingId, description, createdAt };
  const { model, byAccount, byAccountAndType } = transaction;
  const lists = { [byAccount]: accountId, [byAccountAndType]: ownedKey(accountId, type) };
  return [
    {
      kind: "put",
      model,
      key: ownedKey(accountId, id),
      body,
      indexes: placesByCreation(event.position, lists),
    },
  ];
}

/** Type, booking and text of a transaction; undefined for events that never post points. */
function describeTransaction({
  type,
  data,
}: LoyaltyEvent): readonly [LoyaltyTransactionBody["type"], bookingId: string | null, string] | undefined {
  switch (type) {
    case "PointsEarned":
      return ["earn", data.bookingId, `Earned with booking ${data.bookingId}`];
    case "PointsReversed":
      return ["adjust", data.bookingId, `Taken back after a refund of booking ${data.bookingId}`];
    case "PointsAdjusted":
      return ["adjust", null, data.reason];
    case "PointsExpired":
      return ["expire", null, `Expired on ${lastSpendableDay(data.expiresAt)}`];
    case "PointsRedeemed":
      return ["redeem", data.bookingId, `Redeemed for ${REWARD_LABELS[data.reward]}`];
    case "CreditTakenBack":
      return ["adjust", null, `Paid with unused credit of ${(data.amount / 100).toFixed(2)} ${CREDIT_CURRENCY}`];
    default:
      return undefined;
  }
}
