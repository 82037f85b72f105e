import {
  BOOKING_CREDIT,
  bookingDecider,
  findReward,
  type GrantedReward,
  type Redemption,
} from "@travel-booking/domain";
import type { CommandContext } from "../command-handling/command-context.ts";
import { systemContext } from "../processes/system-context.ts";
import type { CommandServices } from "../services.ts";
import { bookingStream } from "../streams.ts";
import { executeLoyaltyCommand } from "./execute-loyalty-command.ts";

/** A redemption that waits for its booking. */
export interface OpenRedemption {
  readonly accountId: string;
  readonly redemptionId: string;
  readonly bookingId: string;
}

/** How a redemption ended. */
export interface RedemptionResult {
  readonly redemption: Redemption | undefined;
  readonly position: bigint;
}

/**
 * Ends a redemption that was refused, or that a request left open. The booking is closed against it before the points
 * are freed, so that neither a slow request nor a repeated one can still have the reward; where it was given after all,
 * the points are taken. Harmless to repeat. `code`: why it was refused.
 */
export async function finishRedemption(
  services: CommandServices,
  open: OpenRedemption,
  code = "redemption_given_up",
): Promise<RedemptionResult> {
  const closed = await services.handler.execute({
    stream: bookingStream(open.bookingId),
    decider: bookingDecider,
    command: { type: "CloseRedemption", redemptionId: open.redemptionId },
    context: systemContext(services),
    reply: (state) => findReward(state, open.redemptionId),
  });
  services.reachedFaultPoint("redeem:closed");
  const given = closed.accepted ? closed.reply : undefined;
  if (given !== undefined) return completeRedemption(services, systemContext(services), open, given);
  const { accountId, redemptionId } = open;
  const freed = await executeLoyaltyCommand(
    services,
    systemContext(services),
    { type: "FreePoints", accountId, redemptionId, code },
    (state) => copyOfRedemption(state.redemptions, redemptionId),
  );
  services.reachedFaultPoint("redeem:freed");
  return { redemption: freed.accepted ? freed.reply : undefined, position: freed.position };
}

/** The reward was given: its points are taken, and credit the booking had no use for is banked. */
export async function completeRedemption(
  services: CommandServices,
  context: CommandContext,
  { accountId, redemptionId }: OpenRedemption,
  { reward, amount }: GrantedReward,
): Promise<RedemptionResult> {
  const banked = reward === "booking_credit" ? BOOKING_CREDIT - amount : 0;
  const completed = await executeLoyaltyCommand(
    services,
    context,
    { type: "CompleteRedemption", accountId, redemptionId, banked },
    (state) => copyOfRedemption(state.redemptions, redemptionId),
  );
  services.reachedFaultPoint("redeem:completed");
  return { redemption: completed.accepted ? completed.reply : undefined, position: completed.position };
}

/** A copy: the state is only good while it is looked at. */
export function copyOfRedemption(
  redemptions: ReadonlyMap<string, Redemption>,
  redemptionId: string,
): Redemption | undefined {
  const redemption = redemptions.get(redemptionId);
  return redemption && { ...redemption };
}
