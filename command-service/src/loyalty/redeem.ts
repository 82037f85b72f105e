import { type RedemptionRequest, redemptionBody } from "@travel-booking/api-contract";
import {
  bookingDecider,
  isExistingBooking,
  type LoyaltyState,
  loyaltyDecider,
  needsBooking,
  type Redemption,
  type Rejection,
  type Reward,
} from "@travel-booking/domain";
import type { ApiRequest, ApiResponse } from "@travel-booking/http";
import { redemptionIdOf } from "@travel-booking/runtime";
import { refused } from "../edge/refused.ts";
import { created } from "../edge/responses.ts";
import { latest } from "../handling/latest.ts";
import { type AccountCommand, accountCommand, stepContext } from "../handling/request-context.ts";
import type { CommandServices } from "../services.ts";
import { bookingStream, loyaltyStream } from "../streams.ts";
import { executeLoyalty } from "./execute-loyalty.ts";
import { completeRedemption, finishRedemption, type OpenRedemption, redemptionIn } from "./finish-redemption.ts";
import { type Given, giveToBooking, preview, STEP, upgrade } from "./give-reward.ts";

/**
 * `POST /v1/loyalty/redemptions`. The points are set aside first, so that nobody spends them twice; then the booking
 * decides, an upgrade's flight with it; then the points are taken or freed. What a crash leaves open is ended by the
 * obligation `finish_redemption`: points are taken if and only if the reward was given.
 */
export function redeem(services: CommandServices) {
  return async (request: ApiRequest<unknown, RedemptionRequest>): Promise<ApiResponse> => {
    const command = accountCommand(request);
    const { reward, bookingId } = request.body;
    if (bookingId !== undefined) return redeemForBooking(services, command, reward, bookingId);
    return needsBooking(reward) ? refused({ code: "reward_needs_booking" }) : redeemAlone(services, command, reward);
  };
}

/** Nobody else has to decide: one step. */
async function redeemAlone(services: CommandServices, command: AccountCommand, reward: Reward): Promise<ApiResponse> {
  const redemptionId = redemptionIdOf(command.identity.commandId);
  const { accountId } = command.caller;
  const redeemed = await executeLoyalty(
    services,
    stepContext(command, STEP.setAside),
    { type: "RedeemPoints", accountId, redemptionId, reward },
    (state) => redemptionIn(state.redemptions, redemptionId),
  );
  services.reached("redeem:completed");
  if (!redeemed.accepted) return refused(redeemed.rejection, redeemed.position);
  return answer(redeemed.reply, redeemed.position);
}

async function redeemForBooking(
  services: CommandServices,
  command: AccountCommand,
  reward: Reward,
  bookingId: string,
): Promise<ApiResponse> {
  const { accountId } = command.caller;
  const redemptionId = redemptionIdOf(command.identity.commandId);
  const open: OpenRedemption = { accountId, redemptionId, bookingId };
  const known = await lookAt(services, accountId, (state) => redemptionIn(state.redemptions, redemptionId));
  // An earlier attempt may have got anywhere; only the first is asked beforehand whether there is any sense in it.
  if (known === undefined) {
    const seen = await preview(services, open, reward);
    if ("refusal" in seen) return refused(seen.refusal);
  }
  const setAside = await executeLoyalty(
    services,
    stepContext(command, STEP.setAside),
    { type: "SetPointsAside", accountId, redemptionId, reward, bookingId },
    (state) => redemptionIn(state.redemptions, redemptionId),
  );
  services.reached("redeem:set-aside");
  if (!setAside.accepted) return refused(known === undefined ? setAside.rejection : whyFreed(known), setAside.position);
  if (setAside.reply?.status === "completed") return answer(setAside.reply, setAside.position);

  const given = await give(services, command, open, reward);
  const ended =
    "given" in given
      ? await completeRedemption(services, stepContext(command, STEP.complete), open, given.given)
      : await finishRedemption(services, open, lasting(given.refusal.code));
  const position = latest(given.position, ended.position);
  if (ended.redemption?.status === "completed") return answer(ended.redemption, position);
  return refused("refusal" in given ? given.refusal : whyFreed(ended.redemption), position);
}

async function give(
  services: CommandServices,
  command: AccountCommand,
  open: OpenRedemption,
  reward: Reward,
): Promise<Given> {
  if (reward !== "cabin_upgrade") return giveToBooking(services, command, open, reward);
  const flightId = await services.handler.look({
    stream: bookingStream(open.bookingId),
    decider: bookingDecider,
    reply: (state) => (isExistingBooking(state) ? state.flightId : ""),
  });
  return upgrade(services, command, open, flightId);
}

function lookAt<Reply>(
  { handler }: CommandServices,
  accountId: string,
  reply: (state: LoyaltyState) => Reply,
): Promise<Reply> {
  return handler.look({ stream: loyaltyStream(accountId), decider: loyaltyDecider, reply });
}

function answer(redemption: Redemption | undefined, position: bigint): ApiResponse {
  if (redemption === undefined) throw new Error("a redemption was accepted and is not in its account");
  return created(redemptionBody(redemption), position);
}

/** What may pass in a moment is none of the attempt's business once its points were freed. */
function lasting(code: string): string {
  return code === "seat_change_open" ? "redemption_given_up" : code;
}

/** What the attempt was told that was refused before. */
function whyFreed(redemption: Redemption | undefined): Rejection {
  return { code: redemption?.code ?? "redemption_given_up" };
}
