import { type Decision, type DomainEvent, reject } from "./decision.ts";

/** Characters that the changes of one booking or saved passenger may take together (docs/rules.md#room-for-changes). */
export const MAX_CHANGES_SIZE = 4_194_304;

/** Characters of an event besides its data. */
const BESIDE_DATA = 500;

/** State that clients can change as often as they like. */
export interface Changing {
  /** Characters of all changes since the last erasure, after which their words have other lengths; absent if there are none. */
  readonly changesSize?: number;
}

/** Characters of a change. Its events are kept for ever, and read with every other event of their stream. */
export function sizeOfChange({ data }: Pick<DomainEvent, "data">): number {
  return BESIDE_DATA + JSON.stringify(data).length;
}

/** `changesSize` after another change. */
export function sizeWith({ changesSize = 0 }: Changing, change: Pick<DomainEvent, "data">): number {
  return changesSize + sizeOfChange(change);
}

/** The rejection of another change if there is no room for it. */
export function noRoomForChange({ changesSize = 0 }: Changing): Decision<never, "too_many_changes"> | undefined {
  return changesSize < MAX_CHANGES_SIZE ? undefined : reject("too_many_changes", { most: MAX_CHANGES_SIZE });
}
