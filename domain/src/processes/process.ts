import type { BankEntryEvent } from "../bank-entry.ts";
import type { BookingEvent } from "../booking/events.ts";
import type { FlightEvent } from "../flight/events.ts";
import type { LoyaltyEvent } from "../loyalty/events.ts";
import type { PassengerEvent } from "../passenger/events.ts";
import type { PassengerEmailEvent } from "../passenger/passenger-email.ts";
import type { Instant } from "../shared/decision.ts";
import { MINUTE, SECOND } from "../shared/time.ts";
import type { Saga } from "./saga.ts";

/** So long a request of a live process may take before the scheduler finishes it (docs/rules.md#recovery-grace). */
export const RECOVERY_GRACE = MINUTE;
/** Follow-ups that are harmless to do twice at the same moment need not wait that long. */
export const FOLLOW_UP_GRACE = SECOND;

type ProcessEvent = BankEntryEvent | BookingEvent | FlightEvent | LoyaltyEvent | PassengerEvent | PassengerEmailEvent;
/** An event type occurs in one stream category only. */
type EventType = ProcessEvent["type"];
type EventOf<Type> = Extract<ProcessEvent, { readonly type: Type }>;

/**
 * A kind of due task: something that must happen after an event, because time passes (a hold expires) or because one
 * stream has decided and another must follow (a cancelled booking's seats go back). A task is on the list from the event
 * that opens it to the event that shows it done, so whatever a crash interrupts is still on the list.
 */
export interface TaskDefinition<Kind extends string, Facts extends { readonly dueAt: Instant }> {
  readonly kind: Kind;
  /**
   * By event type: what to store with the task, or undefined where this event opens none. `id` is the aggregate's,
   * `accountId` the account's that caused the event, if one did.
   */
  readonly openedBy: {
    readonly [Type in EventType]?: (event: EventOf<Type>, id: string, accountId: string | null) => Facts | undefined;
  };
  /** By event type: the keys of the tasks it shows done or makes pointless. */
  readonly closedBy: {
    readonly [Type in EventType]?: (event: EventOf<Type>, id: string) => string | readonly string[];
  };
  /** The events that open and close it together, where no single one does: the projection folds them. */
  readonly foldedFrom?: readonly EventType[];
  /** What the task is about, unique in its kind; opening it again replaces it. */
  readonly key: (facts: Facts) => string;
  /** Idempotent: tasks are repeated until an event closes them, and may run beside the request that they follow up. */
  readonly run: (facts: Facts) => Saga<unknown>;
  /**
   * It finishes or undoes what a request has begun. It is due after the recovery grace, and at once where the process has
   * ended that worked on the request.
   */
  readonly ofRequest?: true;
  /** Listed apart, so that it delays no other. */
  readonly longRunning?: true;
}

/** Infers the stored facts from what `openedBy` returns. */
export function dueTask<Kind extends string, Facts extends { readonly dueAt: Instant }>(
  definition: TaskDefinition<Kind, Facts>,
): TaskDefinition<Kind, Facts> {
  return definition;
}

/**
 * A process: its row in docs/architecture.md#what-spans-two-streams, and its due tasks. The forward steps are in the
 * command-service. The open tasks are all the state a process has.
 */
export interface ProcessDefinition {
  readonly name: string;
  readonly steps: string;
  readonly undoneBy: string;
  readonly tasks: readonly Pick<TaskDefinition<string, never>, "kind" | "closedBy" | "key" | "run">[];
}
