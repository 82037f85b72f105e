import type { BankEntryEvent } from "../bank-entry.ts";
import type { BookingEvent } from "../booking/events.ts";
import type { FlightEvent } from "../flight/events.ts";
import type { LoyaltyEvent } from "../loyalty/events.ts";
import type { PassengerEvent } from "../passenger/events.ts";
import type { PassengerEmailEvent } from "../passenger/passenger-email.ts";
import type { Instant } from "../shared/decision.ts";
import { MINUTE, SECOND } from "../shared/time.ts";
import type { Saga } from "./saga.ts";

/** A live process's request may take this long before the scheduler finishes it (docs/rules.md#recovery-grace). */
export const RECOVERY_GRACE = MINUTE;
/** For follow-ups that are harmless to do twice at the same moment, so that they need not wait that long. */
export const FOLLOW_UP_GRACE = SECOND;

type ProcessEvent = BankEntryEvent | BookingEvent | FlightEvent | LoyaltyEvent | PassengerEvent | PassengerEmailEvent;
/** Each event type occurs in only one stream category. */
type EventType = ProcessEvent["type"];
type EventOf<Type> = Extract<ProcessEvent, { readonly type: Type }>;

/**
 * A kind of due task: something that must happen after an event. Either time passes (a hold expires), or one stream has
 * decided and another must follow (a cancelled booking's seats go back). A task is on the list from the event that
 * opens it to the event that shows it done. So a task that a crash interrupts is still on the list.
 */
export interface TaskDefinition<Kind extends string, Facts extends { readonly dueAt: Instant }> {
  readonly kind: Kind;
  /**
   * By event type: the facts to store with the task; undefined if this event opens none. `id` is the aggregate's;
   * `accountId` is the account that caused the event, if one did.
   */
  readonly openedBy: {
    readonly [Type in EventType]?: (event: EventOf<Type>, id: string, accountId: string | null) => Facts | undefined;
  };
  /** By event type: the keys of the tasks that are done or pointless after it. */
  readonly closedBy: {
    readonly [Type in EventType]?: (event: EventOf<Type>, id: string) => string | readonly string[];
  };
  /** The events that together open and close the task, if no single one does. The projection folds them. */
  readonly foldedFrom?: readonly EventType[];
  /** The subject of the task, unique in its kind. Opening a task again replaces it. */
  readonly key: (facts: Facts) => string;
  /** Idempotent, because tasks are repeated until an event closes them, and may run in parallel with their request. */
  readonly run: (facts: Facts) => Saga<unknown>;
  /**
   * True if the task finishes or undoes a request. It is due after the recovery grace, or at once if the process that
   * worked on the request has ended.
   */
  readonly ofRequest?: true;
  /** The list that the task is on, if it takes long: with a scheduler of its own, so that it delays no other. */
  readonly list?: "reviews" | "sweeps";
}

/** Infers the stored facts from what `openedBy` returns. */
export function dueTask<Kind extends string, Facts extends { readonly dueAt: Instant }>(
  definition: TaskDefinition<Kind, Facts>,
): TaskDefinition<Kind, Facts> {
  return definition;
}

/**
 * A process: its row in docs/architecture.md#what-spans-two-streams, and its due tasks. The forward steps are in the
 * command-service. The open tasks are the whole state of a process.
 */
export interface ProcessDefinition {
  readonly name: string;
  readonly steps: string;
  readonly undoneBy: string;
  readonly tasks: readonly Pick<TaskDefinition<string, never>, "kind" | "closedBy" | "key" | "run">[];
}
