import { randomUUID } from "node:crypto";
import { type Clock, systemClock } from "./clock.ts";

/** Makes the ids of new commands. */
export interface CommandIdGenerator {
  /** A UUID whose last six hex digits are zero: two for the step, four for the event. */
  next(): string;
}

const STEP_AT = 30;
const INDEX_AT = 32;
const STEPS = 0x100;
const EVENTS = 0x1_0000;

/**
 * Version 7 (RFC 9562 §5.7): ids made one after another sort next to each other in the store. 50 bits of each are
 * random.
 */
export function commandIdGenerator(clock: Clock = systemClock): CommandIdGenerator {
  return {
    next() {
      const time = clock.now().toString(16).padStart(12, "0");
      return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15, STEP_AT)}000000`;
    },
  };
}

/** Counts up from 1 instead of using time and random digits; for tests. */
export function sequentialCommandIds(): CommandIdGenerator {
  let count = 0;
  return {
    next() {
      count += 1;
      const digits = count.toString(16).padStart(12, "0");
      return `${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-${digits.slice(-6)}000000`;
    },
  };
}

/**
 * The id of the n-th step of a command; a command without steps is its own step 0.
 * @throws RangeError above 255.
 */
export function commandStep(commandId: string, step: number): string {
  if (!(step >= 0 && step < STEPS)) throw new RangeError(`a command has at most ${STEPS} steps`);
  return commandId.slice(0, STEP_AT) + step.toString(16).padStart(2, "0") + commandId.slice(INDEX_AT);
}

/**
 * The id of the n-th event, from 0, of a step: a UUID that the same command makes again when it is repeated.
 * @throws RangeError above 65,534.
 */
export function eventId(stepId: string, index: number): string {
  if (!(index >= 0 && index < EVENTS - 1)) throw new RangeError(`a step has at most ${EVENTS - 1} events`);
  return stepId.slice(0, INDEX_AT) + (index + 1).toString(16).padStart(4, "0");
}

/** Object ids derive from the id of the command that creates the object, so that a repeated command makes the same id. */
function digits(commandId: string): string {
  return commandId.replaceAll("-", "");
}

export const accountIdOf = (commandId: string): string => `acc_${digits(commandId)}`;
export const credentialIdOf = (commandId: string): string => `crd_${digits(commandId)}`;
export const holdIdOf = (commandId: string): string => `hld_${digits(commandId)}`;
export const disruptionIdOf = (commandId: string): string => `dis_${digits(commandId)}`;
export const bookingIdOf = (commandId: string): string => `bkg_${digits(commandId)}`;
export const passengerIdOf = (commandId: string): string => `psg_${digits(commandId)}`;
export const redemptionIdOf = (commandId: string): string => `red_${digits(commandId)}`;
export const webhookEndpointIdOf = (commandId: string): string => `whe_${digits(commandId)}`;

/** Twelve random digits of a command id, without its time, version and variant. */
export function randomDigitsOf(commandId: string): string {
  const all = digits(commandId);
  return all.slice(13, 16) + all.slice(17, 26);
}
