import type { Actor } from "@travel-booking/engines/event-store";

/** Who and what an event comes from; ends up in its metadata. */
export interface CommandOrigin {
  readonly accountId: string | null;
  readonly actor: Actor;
  readonly requestId: string | null;
  readonly causationId: string | null;
  /** The identity of this very step. */
  readonly commandId: string;
}

/** Who and what a command comes from. */
export interface CommandContext extends CommandOrigin {
  /**
   * True where another attempt under the same command id may have been recorded. Asked at every decision, because it
   * may become true.
   * @throws Error this attempt is to stop, since another one has taken over.
   */
  readonly repeated: boolean;
}
