import { bankEntryDecider } from "../bank-entry.ts";
import type { RecordedOutcome } from "../booking/commands.ts";
import { bookingDecider } from "../booking/decider.ts";
import type { BookingPassenger } from "../booking/events.ts";
import type { RefundReason } from "../booking/payment.ts";
import type { TravelDocument } from "../booking/state.ts";
import type { PassengerSeatPreferences } from "../flight/commands.ts";
import { flightDecider } from "../flight/decider.ts";
import { loyaltyDecider } from "../loyalty/decider.ts";
import { passengerDecider } from "../passenger/decider.ts";
import { passengerEmailDecider } from "../passenger/passenger-email.ts";
import type { DomainEvent, Rejection } from "../shared/decision.ts";
import type { ComparedReading } from "../travel-document/reading.ts";

/**
 * A saga: commands for several streams, one after another, each chosen by the outcomes before it. It is a generator
 * that yields steps and does no I/O of its own; calling one does nothing until `runSaga` of the command service runs it.
 */
export type Saga<Result = void> = Generator<Step, Result, unknown>;

export type Step =
  | {
      readonly type: "execute";
      readonly category: StreamCategory;
      readonly id: string;
      /** A function gets the command id of the step. */
      readonly command: unknown;
      /** The state is only valid inside this call. */
      reply?(state: unknown, events: readonly DomainEvent[]): unknown;
      /** True for a reply after which the saga only returns. */
      isLast?(reply: unknown): boolean;
    }
  | {
      readonly type: "readState";
      readonly category: StreamCategory;
      readonly id: string;
      reply(state: unknown): unknown;
    }
  | { readonly type: "call"; readonly port: keyof Ports; readonly args: readonly unknown[] }
  | { readonly type: "faultPoint"; readonly name: string };

/** The operations of sagas besides those on streams. The interpreter implements them asynchronously. */
export interface Ports {
  /** Makes the gateway carry out a refund. Idempotent by refund id and attempt. */
  sendRefund(refund: RefundToSend): RefundOutcome;
  /** The state of a refund; undefined if the gateway has never seen it. */
  refundOutcome(refund: RefundToSend): RefundOutcome | undefined;
  /** The outcome of a charge. Without one its id is `barred`, so that it can never be charged. */
  cancelCharge(charge: StartedCharge): RecordedOutcome;
  /** As `cancelCharge`, but makes a charge that the gateway can continue. */
  finishCharge(charge: StartedCharge): RecordedOutcome;
  /** The outcome of a charge, if one is known. Changes nothing. */
  chargeOutcome(charge: StartedCharge): RecordedOutcome | undefined;
  /**
   * Reads a document's file and compares it with these names. Undefined: it can't be read, and must not be tried again.
   * @throws Error it must be tried again.
   */
  readDocument(document: TravelDocument, names: readonly string[], attempt: number): ComparedReading | undefined;
  /** The preferences in the saved profiles of these passengers, in their order. */
  seatPreferences(accountId: string, passengers: readonly BookingPassenger[]): readonly PassengerSeatPreferences[];
  /** Real time. */
  pause(milliseconds: number): void;
  warn(message: string, fields: Readonly<Record<string, unknown>>): void;
}

/** A charge whose intent is recorded, in the form for the gateway. Amount in cents. */
export interface StartedCharge {
  readonly paymentId: string;
  readonly bookingId: string;
  readonly accountId: string;
  readonly amount: number;
  readonly currency: string;
  readonly method: "card" | "wallet";
  readonly saveCard: boolean;
}

/** A pending refund for the gateway to carry out. Amount in cents. */
export interface RefundToSend {
  readonly bookingId: string;
  readonly refundId: string;
  readonly attempt: number;
  readonly paymentId: string;
  readonly amount: number;
  readonly currency: string;
  readonly reason: RefundReason;
}

export type RefundOutcome =
  | { readonly status: "succeeded" | "pending" }
  | { readonly status: "failed"; readonly reason: string };

/** By stream category, with which a stream's name begins. */
export const DECIDERS = {
  bankEntry: bankEntryDecider,
  booking: bookingDecider,
  flight: flightDecider,
  loyalty: loyaltyDecider,
  passenger: passengerDecider,
  passengerEmail: passengerEmailDecider,
} as const;

type Deciders = typeof DECIDERS;
type StreamCategory = keyof Deciders;
type CommandOf<Category extends StreamCategory> = Parameters<Deciders[Category]["decide"]>[0];
type StateOf<Category extends StreamCategory> = ReturnType<Deciders[Category]["initialState"]>;
type EventOf<Category extends StreamCategory> = Parameters<Deciders[Category]["evolve"]>[1];

export type StepOutcome<Reply> =
  | { readonly accepted: true; readonly reply: Reply }
  | { readonly accepted: false; readonly rejection: Rejection; readonly reply?: undefined };

/** Executes a command, or one that is made from the command id of this step. */
export function* execute<Category extends StreamCategory, Reply = undefined>(
  category: Category,
  id: string,
  command: CommandOf<Category> | ((commandId: string) => CommandOf<Category>),
  reply?: (state: StateOf<Category>, events: readonly EventOf<Category>[]) => Reply,
  isLast?: (reply: Reply) => boolean,
): Saga<StepOutcome<Reply>> {
  return (yield {
    type: "execute",
    category,
    id,
    command,
    ...(reply && { reply }),
    ...(isLast && { isLast }),
  }) as StepOutcome<Reply>;
}

/** Reads a stream's state. It includes every command before this step. */
export function* readState<Category extends StreamCategory, Reply>(
  category: Category,
  id: string,
  reply: (state: StateOf<Category>) => Reply,
): Saga<Reply> {
  return (yield { type: "readState", category, id, reply }) as Reply;
}

/** Calls a port. */
export function* call<Port extends keyof Ports>(
  port: Port,
  ...args: Parameters<Ports[Port]>
): Saga<ReturnType<Ports[Port]>> {
  return (yield { type: "call", port, args }) as ReturnType<Ports[Port]>;
}

/** Names the point between two steps; crash tests end the process there. */
export function* faultPoint(name: string): Saga {
  yield { type: "faultPoint", name };
}
