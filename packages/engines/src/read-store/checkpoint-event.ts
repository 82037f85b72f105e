import type { LogMark } from "../log-mark.ts";
import type { Batch } from "./index.ts";

/**
 * Encodes the event at a checkpoint, with the position once more: older releases move the checkpoint alone, and the
 * position then shows that the event is outdated. Null if the batch has no event.
 */
export function encodeCheckpointEvent({ checkpoint, checkpointEvent = null }: Batch): string | null {
  return checkpointEvent === null ? null : `${checkpoint}@${checkpointEvent}`;
}

/** @param stored an encoded event, perhaps of an earlier checkpoint. */
export function markAt(checkpoint: bigint, stored: string | null | undefined): LogMark {
  const [position, id = null] = stored?.split("@") ?? [];
  return { position: checkpoint, id: position === String(checkpoint) ? id : null };
}
