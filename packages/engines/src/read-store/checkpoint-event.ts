import type { LogMark } from "../log-mark.ts";
import type { Batch } from "./index.ts";

/**
 * How the event at a checkpoint is stored beside it: with the position once more, as a release that does not know of it moves
 * the checkpoint alone. Null: it was not told.
 */
export function encodeCheckpointEvent({ checkpoint, checkpointEvent = null }: Batch): string | null {
  return checkpointEvent === null ? null : `${checkpoint}@${checkpointEvent}`;
}

/** @param stored as encoded; it may be of an earlier checkpoint. */
export function markAt(checkpoint: bigint, stored: string | null | undefined): LogMark {
  const [position, id = null] = stored?.split("@") ?? [];
  return { position: checkpoint, id: position === String(checkpoint) ? id : null };
}
