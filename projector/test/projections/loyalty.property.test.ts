import { expect, test } from "@jest/globals";
import type { LoyaltyTransactionBody } from "@travel-booking/api-contract";
import { LoyaltyModel, loyaltySteps } from "@travel-booking/domain/testing";
import { LOYALTY } from "@travel-booking/read-models";
import fc from "fast-check";
import { loyalty } from "../../src/projections/loyalty.ts";
import { closeAll, deliver } from "./kit/deliver.ts";

const ACCOUNT = "acc_0123";

test("figures and transactions are those of the account itself, whatever its life was", async () => {
  await fc.assert(
    fc.asyncProperty(loyaltySteps, async (life) => {
      const world = new LoyaltyModel();
      for (const step of life) world.take(step);
      fc.pre(world.log.length > 0);
      const made = await deliver(
        loyalty,
        world.log.map((event) => [`loyalty-${ACCOUNT}`, event]),
        "in one batch",
      );
      const { balance, lifetime, lots, debt } = world.state;
      expect((await made.document(LOYALTY.account.model, ACCOUNT))?.state).toMatchObject({
        pointsBalance: balance,
        lifetimePoints: lifetime,
        expiring: lots.months.filter(({ left }) => left > 0).map(({ expiresAt, left }) => [expiresAt, left]),
        debt,
      });
      const { model, byAccount } = LOYALTY.transaction;
      let sum = 0;
      for (const { points, balanceAfter } of (await made.list(
        model,
        byAccount,
        ACCOUNT,
      )) as readonly LoyaltyTransactionBody[]) {
        sum += points;
        expect(balanceAfter).toBe(sum);
      }
      expect(sum).toBe(balance);
      await closeAll();
    }),
    { numRuns: 100 },
  );
});
