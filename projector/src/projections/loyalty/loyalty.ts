import { type LoyaltySummary, loyaltyAccountBody } from "@travel-booking/api-contract";
import type { LoyaltyEvent } from "@travel-booking/domain";
import type { RecordedEvent } from "@travel-booking/engines/event-store";
import { LOYALTY } from "@travel-booking/read-models";
import { type Change, foldedModel, type Handler, type Projection } from "../../projection.ts";
import { recorded } from "../recorded.ts";
import { foldFigures, type PointsEvent, pointsAccountIdOf } from "./fold-figures.ts";
import { transactionWrites } from "./transaction-writes.ts";

const { account, transaction } = LOYALTY;
const { model } = account;

/** Figures move with events of three kinds of stream; each says which account it is about. */
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

/** The points of accounts, and every movement of them. */
export const loyalty: Projection = {
  name: LOYALTY.projection,
  version: 1,
  models: {
    [model]: foldedModel<LoyaltySummary>([], (state) => ({
      body: JSON.stringify(loyaltyAccountBody(state)),
      indexes: {},
      staleAt: null,
    })),
    [transaction.model]: { indexes: [transaction.byAccount, transaction.byAccountAndType] },
  },
  handlers: {
    account: loyaltyHandler(),
    booking: loyaltyHandler(),
    loyalty: loyaltyHandler((event) => transactionWrites(recorded<LoyaltyEvent>(event))),
  },
};
