import type { Actor } from "@travel-booking/event-store";

/** Who and what a command comes from; ends up in the metadata of its events. */
export interface CommandContext {
  readonly accountId: string | null;
  readonly actor: Actor;
  readonly requestId: string | null;
  readonly causationId: string | null;
  /** The identity of this very step: the ids of its events derive from it. */
  readonly commandId: string;
  /** True where an earlier attempt under the same command id may have been recorded. */
  readonly repeated: boolean;
}
