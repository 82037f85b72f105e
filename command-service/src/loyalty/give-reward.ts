import {
  applySeatChange,
  BOOKING_CREDIT,
  type BookingState,
  bookingDecider,
  type Cabin,
  CREDIT_CURRENCY,
  changesOf,
  type FlightEvent,
  findReward,
  finishSeatChange,
  type GrantedReward,
  isExistingBooking,
  type OpenRedemption,
  type Rejection,
  type ReserveUpgrade,
  type RewardCommand,
  returnCredit,
} from "@travel-booking/domain";
import { followFirst } from "../bookings/follow-first.ts";
import { previewSeats, takeSeats } from "../bookings/unpaid-seats.ts";
import { type CommandRequest, latestPosition, stepContext } from "../command-handling/command.ts";
import { runFollowUp } from "../processes/run-saga.ts";
import type { CommandServices } from "../services.ts";
import { bookingStream, flightStream } from "../streams.ts";
import { creditGivenUpIn } from "./loyalty-commands.ts";

/** The steps of a redemption request. Each has its own command id. */
export const STEP = { setAside: 0, reserve: 1, give: 2, apply: 3, complete: 4 } as const;

export type RewardOutcome =
  | { readonly given: GrantedReward; readonly position: bigint }
  | { readonly rejection: Rejection; readonly position: bigint };

/** A reward that the booking grants without its flight. */
export type BookingOnlyReward = Exclude<GrantedReward["reward"], "cabin_upgrade">;

/** Asks the booking to accept a credit, baggage or lounge access. */
export async function giveBookingReward(
  services: CommandServices,
  command: CommandRequest,
  open: OpenRedemption,
  reward: BookingOnlyReward,
): Promise<RewardOutcome> {
  const given = await decideReward(services, command, open, giving(open, reward));
  services.reachedFaultPoint("redeem:given");
  return given;
}

/**
 * Moves a booking one cabin up. The flight reserves capacity there beside the current one, and the booking decides. The
 * flight then releases the old capacity or, if the booking refused, the new one.
 */
export async function upgradeCabin(
  services: CommandServices,
  command: CommandRequest,
  open: OpenRedemption,
  flightId: string,
): Promise<RewardOutcome> {
  const { bookingId, redemptionId } = open;
  const reserved = await takeSeats(services, {
    ...flightStream(flightId),
    command: reserving(services, open),
    context: stepContext(command, STEP.reserve),
    replyBeforeDurable: true,
    reply: (flight, events) => ({ cabin: reservedCabin(events), changes: changesOf(flight) }),
  });
  if (!reserved.accepted) return { rejection: reserved.rejection, position: reserved.position };
  services.reachedFaultPoint("redeem:reserved");
  const { cabin, changes } = reserved.reply;
  await followFirst(services, command, { flightId, bookingId, changes });
  const given = await decideReward(services, command, open, upgrading(open, flightId, cabin));
  services.reachedFaultPoint("redeem:given");
  const change = { flightId, bookingId, changeId: redemptionId };
  const ended =
    "given" in given
      ? await runFollowUp(services, applySeatChange(change), stepContext(command, STEP.apply))
      : await runFollowUp(services, finishSeatChange(change));
  services.reachedFaultPoint("redeem:applied");
  return { ...given, position: latestPosition(given.position, ended?.position) };
}

/**
 * The decision that the booking and, for an upgrade, its flight would make now. It is checked before the account sets
 * points aside, so that a refusal usually leaves no trace.
 */
export async function previewReward(
  services: CommandServices,
  { identity: attempt }: CommandRequest,
  open: OpenRedemption,
  reward: GrantedReward["reward"],
): Promise<{ readonly refusal: Rejection } | { readonly flightId: string }> {
  const { handler, clock } = services;
  const seen = await handler.readState({
    ...bookingStream(open.bookingId),
    attempt,
    reply: (booking) => {
      if (!isExistingBooking(booking) || booking.accountId !== open.accountId) return { refusal: NO_BOOKING };
      const asked =
        reward === "cabin_upgrade" ? upgrading(open, booking.flightId, booking.cabin) : giving(open, reward);
      const refusal = bookingDecider.decide(asked, booking, clock.now()).rejection;
      return refusal === undefined ? { flightId: booking.flightId } : { refusal };
    },
  });
  if ("refusal" in seen || reward !== "cabin_upgrade") return seen;
  const { stream } = flightStream(seen.flightId);
  const refusal = await previewSeats(services, { stream, command: reserving(services, open), attempt });
  return refusal === undefined ? seen : { refusal };
}

const NO_BOOKING: Rejection = { code: "booking_not_found" };

async function decideReward(
  services: CommandServices,
  command: CommandRequest,
  { bookingId, redemptionId }: OpenRedemption,
  asked: RewardCommand,
): Promise<RewardOutcome> {
  const outcome = await services.handler.execute({
    ...bookingStream(bookingId),
    command: asked,
    context: stepContext(command, STEP.give),
    reply: (state, events) => ({ given: givenReward(state, redemptionId), credit: creditGivenUpIn(events) }),
  });
  const { position } = outcome;
  if (!outcome.accepted) return { rejection: outcome.rejection, position };
  const { given, credit } = outcome.reply;
  const returned = credit && (await runFollowUp(services, returnCredit(bookingId, credit)));
  return { given, position: latestPosition(position, returned?.position) };
}

function giving({ accountId, redemptionId }: OpenRedemption, reward: BookingOnlyReward): RewardCommand {
  return reward === "booking_credit"
    ? { type: "ApplyCredit", accountId, redemptionId, amount: BOOKING_CREDIT, currency: CREDIT_CURRENCY }
    : { type: "AddReward", accountId, redemptionId, reward };
}

function upgrading({ accountId, redemptionId }: OpenRedemption, flightId: string, cabin: Cabin): RewardCommand {
  return { type: "UpgradeCabin", accountId, redemptionId, flightId, cabin };
}

function reserving(
  { quotas: { unpaidSeatsPercent } }: CommandServices,
  { accountId, bookingId, redemptionId }: OpenRedemption,
): ReserveUpgrade {
  return { type: "ReserveUpgrade", accountId, bookingId, changeId: redemptionId, unpaidSeatsPercent };
}

function reservedCabin(events: readonly FlightEvent[]): Cabin {
  const cabin = events.find((event) => event.type === "SeatChangeReserved")?.data.cabin;
  if (cabin === undefined) throw new Error("an upgrade was accepted, and no capacity is reserved");
  return cabin;
}

function givenReward(state: BookingState, redemptionId: string): GrantedReward {
  const given = findReward(state, redemptionId);
  if (given === undefined) throw new Error(`redemption ${redemptionId} was accepted and its booking does not have it`);
  return { ...given };
}
