import { parseBody } from "@travel-booking/engines/read-store";
import { OperatorError, type OperatorRoute, operatorRoute } from "@travel-booking/http/operator";
import { LOYALTY, ownedKey } from "@travel-booking/read-models";
import { z } from "zod";
import { executeLoyaltyCommand } from "../loyalty/loyalty-commands.ts";
import { accountStream } from "../streams.ts";
import { line, type OperatorServices, operatorContext, parse } from "./operator-services.ts";

const MOST_POINTS = 1_000_000_000;

const adjustment = z.strictObject({
  accountId: z.string().min(1).max(200),
  points: z
    .int()
    .min(-MOST_POINTS)
    .max(MOST_POINTS)
    .refine((points) => points !== 0, "must not be 0"),
  reason: line(500),
});

/** `loyalty adjust`: corrects the points of an account. Returns the transaction. */
export function loyaltyRoutes(services: OperatorServices): readonly OperatorRoute[] {
  return [
    operatorRoute(
      "POST",
      "/operator/loyalty/adjustments",
      async (request) => {
        const { accountId, points, reason } = parse(adjustment, request.body);
        await mustExist(services, accountId);
        const context = operatorContext(request, { accountId });
        const adjusted = await executeLoyaltyCommand(
          services,
          context,
          { type: "AdjustPoints", accountId, adjustmentId: context.commandId, points, reason },
          (_, events) => events.find((event) => event.type === "PointsAdjusted")?.data.posting.id,
        );
        if (!adjusted.accepted) throw new OperatorError(409, "the account has not so many points");
        await services.waitUntilProjected(adjusted.position);
        const transaction = await services.models.body(
          LOYALTY.transaction.model,
          ownedKey(accountId, adjusted.reply ?? ""),
        );
        if (transaction === undefined) throw new OperatorError(503, "recorded, but not shown yet");
        return parseBody(transaction);
      },
      201,
    ),
  ];
}

async function mustExist({ handler }: OperatorServices, accountId: string): Promise<void> {
  const exists = await handler.readState({
    ...accountStream(accountId),
    reply: (account) => account.status !== "unopened",
  });
  if (!exists) throw new OperatorError(404, "no account with this id");
}
