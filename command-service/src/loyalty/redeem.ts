import { type RedemptionRequest, redemptionBody } from "@travel-booking/api-contract";
import {
  completeRedemption,
  copyOfRedemption,
  finishRedemption,
  isExistingBooking,
  type LoyaltyState,
  needsBooking,
  type OpenRedemption,
  type Redemption,
  type Rejection,
  type Reward,
} from "@travel-booking/domain";
import type { ApiRequest, ApiResponse } from "@travel-booking/http";
import { redemptionIdOf } from "@travel-booking/runtime";
import { type CommandRequest, commandRequest, latestPosition, stepContext } from "../command-handling/command.ts";
import { runFollowUp, runSaga } from "../processes/run-saga.ts";
import { created, rejectionResponse } from "../responses.ts";
import type { CommandServices } from "../services.ts";
import { bookingStream, loyaltyStream } from "../streams.ts";
import { giveBookingReward, previewReward, type RewardOutcome, STEP, upgradeCabin } from "./give-reward.ts";
import { executeLoyaltyCommand } from "./loyalty-commands.ts";

/**
 * `POST /v1/loyalty/redemptions`. The account first sets the points aside, so that nothing else spends them. The
 * booking then decides, together with the flight for an upgrade. Finally the account takes or frees the points. After a
 * crash the due task `finish_redemption` ends an open redemption. The account takes points if and only if the reward
 * was given.
 */
export function redeem(services: CommandServices) {
  return async (request: ApiRequest<unknown, RedemptionRequest>): Promise<ApiResponse> => {
    const command = commandRequest(request);
    const { reward, bookingId } = request.body;
    if (bookingId !== undefined) return redeemForBooking(services, command, reward, bookingId);
    return needsBooking(reward)
      ? rejectionResponse({ code: "reward_needs_booking" })
      : redeemForAccount(services, command, reward);
  };
}

/** Redeems in one step, because the account alone decides. */
async function redeemForAccount(
  services: CommandServices,
  command: CommandRequest,
  reward: Reward,
): Promise<ApiResponse> {
  const redemptionId = redemptionIdOf(command.identity.commandId);
  const { accountId } = command.caller;
  const redeemed = await executeLoyaltyCommand(
    services,
    stepContext(command, STEP.setAside),
    { type: "RedeemPoints", accountId, redemptionId, reward },
    (state) => copyOfRedemption(state, redemptionId),
  );
  services.reachedFaultPoint("redeem:completed");
  if (!redeemed.accepted) return rejectionResponse(redeemed.rejection, redeemed.position);
  return redemptionResponse(redeemed.reply, redeemed.position);
}

async function redeemForBooking(
  services: CommandServices,
  command: CommandRequest,
  reward: Reward,
  bookingId: string,
): Promise<ApiResponse> {
  const { accountId } = command.caller;
  const redemptionId = redemptionIdOf(command.identity.commandId);
  const open: OpenRedemption = { accountId, redemptionId, bookingId };
  const known = await readLoyaltyState(services, command, (state) => copyOfRedemption(state, redemptionId));
  // An earlier attempt may have completed any step, so only the first attempt runs the preview.
  if (known === undefined) {
    const seen = await previewReward(services, command, open, reward);
    if ("refusal" in seen) return rejectionResponse(seen.refusal);
  }
  const setAside = await executeLoyaltyCommand(
    services,
    stepContext(command, STEP.setAside),
    { type: "SetPointsAside", accountId, redemptionId, reward, bookingId },
    (state) => copyOfRedemption(state, redemptionId),
  );
  services.reachedFaultPoint("redeem:set-aside");
  if (!setAside.accepted)
    return rejectionResponse(known === undefined ? setAside.rejection : rejectionOfFreed(known), setAside.position);
  if (setAside.reply?.status === "completed") return redemptionResponse(setAside.reply, setAside.position);

  const given = await giveReward(services, command, open, reward);
  const ended =
    "given" in given
      ? await runSaga(services, completeRedemption(open, given.given), stepContext(command, STEP.complete))
      : await runFollowUp(services, finishRedemption(open, finalRejectionCode(given.rejection.code)));
  const position = latestPosition(given.position, ended?.position);
  if (ended?.result?.status === "completed") return redemptionResponse(ended.result, position);
  return rejectionResponse("rejection" in given ? given.rejection : rejectionOfFreed(ended?.result), position);
}

async function giveReward(
  services: CommandServices,
  command: CommandRequest,
  open: OpenRedemption,
  reward: Reward,
): Promise<RewardOutcome> {
  if (reward !== "cabin_upgrade") return giveBookingReward(services, command, open, reward);
  const flightId = await services.handler.readState({
    ...bookingStream(open.bookingId),
    attempt: command.identity,
    reply: (state) => (isExistingBooking(state) ? state.flightId : ""),
  });
  return upgradeCabin(services, command, open, flightId);
}

function readLoyaltyState<Reply>(
  { handler }: CommandServices,
  { caller, identity }: CommandRequest,
  reply: (state: LoyaltyState) => Reply,
): Promise<Reply> {
  return handler.readState({ ...loyaltyStream(caller.accountId), attempt: identity, reply });
}

function redemptionResponse(redemption: Redemption | undefined, position: bigint): ApiResponse {
  if (redemption === undefined) throw new Error("a redemption was accepted and is not in its account");
  return created(redemptionBody(redemption), position);
}

/** The final code of an attempt whose points are freed, because a temporary reason no longer applies to it. */
function finalRejectionCode(code: string): string {
  return code === "seat_change_open" ? "redemption_given_up" : code;
}

/** The rejection that an earlier, refused attempt returned. */
function rejectionOfFreed(redemption: Redemption | undefined): Rejection {
  return { code: redemption?.code ?? "redemption_given_up" };
}
