import type { PaymentGateway } from "@travel-booking/payment-gateway";
import type { Clock, CommandIdGenerator, Logger } from "@travel-booking/runtime";
import type { RealTime } from "@travel-booking/runtime/real-time";
import type { CommandHandler } from "./command-handling/command-handler.ts";
import type { DocumentServices } from "./documents/document-services.ts";
import type { WebhookServices } from "./webhooks/webhook-services.ts";

/** What the command side works with. */
export interface CommandServices {
  readonly handler: CommandHandler;
  readonly gateway: PaymentGateway;
  readonly clock: Clock;
  readonly ids: CommandIdGenerator;
  /** For waits; the machine's unless told. */
  readonly realTime?: RealTime;
  readonly logger: Logger;
  readonly bankAccount: BankAccount;
  /** The flight an active hold is on, as far as the read models know; undefined where there is none. */
  readonly findFlightOfHold: (holdId: string) => Promise<string | undefined>;
  readonly webhooks: WebhookServices;
  readonly documents: DocumentServices;
  readonly reachedFaultPoint: FaultPoint;
}

/** The account that bank transfers are sent to. */
export interface BankAccount {
  readonly iban: string;
  readonly bic: string;
}

/**
 * Called by name between every two steps of a policy. Does nothing, unless a test has asked for the process to die
 * at one of them.
 */
export type FaultPoint = (name: string) => void;
