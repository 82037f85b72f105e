import { type Handlers, handle, type Instant } from "../shared/decision.ts";
import type { LoyaltyEvent, Posting } from "./events.ts";
import {
  addToLot,
  afterDebt,
  copyLots,
  deductParts,
  dropExpired,
  emptyLots,
  type LotPart,
  type Lots,
  totalPoints,
} from "./lots.ts";
import type { Reward } from "./rules.ts";

export interface Redemption {
  readonly redemptionId: string;
  readonly reward: Reward;
  readonly bookingId: string | null;
  readonly points: number;
  /** The lots of the points set aside. */
  readonly parts: readonly LotPart[];
  status: "set_aside" | "completed" | "freed";
  /** The posting that deducted the points, and its time; null unless completed. */
  posted: { readonly transactionId: string; readonly at: Instant } | null;
  /** The reason why the reward was refused; null unless freed. */
  code: string | null;
}

/**
 * The points, redemptions and banked credit of one account with its whole history, so that it recognises a command
 * whenever it repeats. An account without points has an empty state.
 */
export interface LoyaltyState {
  /** Number of postings. */
  postings: number;
  /** The sum of all postings; also the sum of `lots` and the points set aside, less `debt`. */
  balance: number;
  lifetime: number;
  readonly lots: Lots;
  /** Points taken back that the account no longer had. Above 0, all lots are empty, and added points pay it off. */
  debt: number;
  /** Points earned and not reversed, by posted booking. */
  readonly bookings: Map<string, number>;
  /** The refunds that the reversed points already include. */
  readonly refunds: Set<string>;
  readonly adjustments: Set<string>;
  readonly redemptions: Map<string, Redemption>;
  /** Cents of `CREDIT_CURRENCY` for the next booking in it. */
  credit: number;
  /** Credit claimed by booking; 0 after its return. */
  readonly claims: Map<string, number>;
  readonly creditsReturned: Set<string>;
}

export function emptyLoyalty(): LoyaltyState {
  return {
    postings: 0,
    balance: 0,
    lifetime: 0,
    lots: emptyLots(),
    debt: 0,
    bookings: new Map(),
    refunds: new Set(),
    adjustments: new Set(),
    redemptions: new Map(),
    credit: 0,
    claims: new Map(),
    creditsReturned: new Set(),
  };
}

/**
 * An independent copy, which takes about 2 µs for a booking with its redemption. Made when a snapshot is loaded, and
 * when an account that several processes write to is read again. Copies share nothing, because the state of old
 * bookings and redemptions may still change.
 */
export function copyLoyalty(state: LoyaltyState): LoyaltyState {
  return {
    ...state,
    lots: copyLots(state.lots),
    bookings: new Map(state.bookings),
    refunds: new Set(state.refunds),
    adjustments: new Set(state.adjustments),
    redemptions: new Map(Array.from(state.redemptions, ([id, redemption]) => [id, { ...redemption }])),
    claims: new Map(state.claims),
    creditsReturned: new Set(state.creditsReturned),
  };
}

/** The effects of each event, except on the balance. */
const CHANGES: Handlers<LoyaltyEvent, [state: LoyaltyState], void> = {
  PointsEarned({ data: { bookingId, expiresAt, lifetimeAfter, refundIds, posting } }, state) {
    state.bookings.set(bookingId, posting?.points ?? 0);
    for (const refundId of refundIds) state.refunds.add(refundId);
    state.lifetime = lifetimeAfter;
    if (posting !== null) addPoints(state, [{ bookingId, expiresAt, points: posting.points }]);
  },
  PointsReversed({ data: { bookingId, lifetimeAfter, refundIds, parts, posting } }, state) {
    const earned = state.bookings.get(bookingId);
    if (earned === undefined) throw new Error(`points of booking ${bookingId} were taken back but never earned`);
    state.bookings.set(bookingId, earned - (state.lifetime - lifetimeAfter));
    for (const refundId of refundIds) state.refunds.add(refundId);
    state.lifetime = lifetimeAfter;
    deductParts(state.lots, parts);
    state.debt -= (posting?.points ?? 0) + totalPoints(parts);
  },
  PointsAdjusted({ data: { adjustmentId, expiresAt, parts, posting } }, state) {
    state.adjustments.add(adjustmentId);
    deductParts(state.lots, parts);
    if (expiresAt !== null) addPoints(state, [{ bookingId: null, expiresAt, points: posting.points }]);
  },
  PointsExpired({ data }, state) {
    dropExpired(state.lots, data.expiresAt);
  },
  PointsSetAside({ data: { redemptionId, reward, bookingId, points, parts } }, state) {
    deductParts(state.lots, parts);
    const redemption = { redemptionId, reward, bookingId, points, parts, posted: null, code: null } as const;
    state.redemptions.set(redemptionId, { ...redemption, status: "set_aside" });
  },
  PointsRedeemed({ at, data: { redemptionId, reward, bookingId, banked, parts, posting } }, state) {
    deductParts(state.lots, parts);
    state.redemptions.set(redemptionId, {
      redemptionId,
      reward,
      bookingId,
      points: -posting.points,
      parts: [],
      status: "completed",
      posted: { transactionId: posting.id, at },
      code: null,
    });
    state.credit += banked;
  },
  PointsFreed({ data: { redemptionId, code, parts } }, state) {
    const redemption = state.redemptions.get(redemptionId);
    if (redemption === undefined) throw new Error(`redemption ${redemptionId} was never begun`);
    redemption.status = "freed";
    redemption.code = code;
    addPoints(state, parts);
  },
  CreditClaimed({ data: { bookingId, amount } }, state) {
    state.claims.set(bookingId, amount);
    state.credit -= amount;
  },
  CreditReturned({ data: { creditId, bookingId, amount } }, state) {
    if (creditId === creditIdOfClaim(bookingId)) state.claims.set(bookingId, 0);
    state.creditsReturned.add(creditId);
    state.credit += amount;
  },
  CreditTakenBack({ data: { amount, posting } }, state) {
    state.credit -= amount;
    state.debt -= posting.points;
  },
};

/** Folds one event in. Mutates the state and returns it. */
export function evolveLoyalty(state: LoyaltyState, event: LoyaltyEvent): LoyaltyState {
  if ("posting" in event.data) applyPosting(state, event.data.posting);
  handle(CHANGES, event, state);
  return state;
}

/** The credit id for returning the claim of a booking that was never created. */
export function creditIdOfClaim(bookingId: string): string {
  return `${bookingId}/claimed`;
}

function applyPosting(state: LoyaltyState, posting: Posting | null): void {
  if (posting === null) return;
  state.postings += 1;
  state.balance = posting.balanceAfter;
}

/** Adds points to their lots, after a debt is paid off. A lot may stay empty, so that its month's end is recorded. */
function addPoints(state: LoyaltyState, parts: readonly LotPart[]): void {
  for (const part of afterDebt(state.debt, parts)) addToLot(state.lots, part);
  state.debt = Math.max(0, state.debt - totalPoints(parts));
}
