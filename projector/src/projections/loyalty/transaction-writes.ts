import { type LoyaltyTransactionBody, timestamp } from "@travel-booking/api-contract";
import { type LoyaltyEvent, lastSpendableDay, type Reward } from "@travel-booking/domain";
import { positionSort, type Write } from "@travel-booking/engines/read-store";
import { LOYALTY, ownedKey } from "@travel-booking/read-models";
import type { Recorded } from "../recorded.ts";
import { wholeDocument } from "../whole-document.ts";

const REWARD_LABELS: Readonly<Record<Reward, string>> = {
  cabin_upgrade: "a cabin upgrade",
  booking_credit: "a booking credit",
  extra_baggage: "extra baggage",
  lounge_access: "lounge access",
};

type TransactionDescription = Pick<LoyaltyTransactionBody, "type" | "bookingId" | "description">;

/** What a transaction says besides its figures; undefined for events that never move points. */
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
export function transactionWrites(event: Recorded<LoyaltyEvent>): readonly Write[] {
  const told = describeTransaction(event);
  if (told === undefined || !("posting" in event.data) || event.data.posting === null) return [];
  const { accountId, posting } = event.data;
  const { id, points, balanceAfter } = posting;
  const { type, bookingId, description } = told;
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
