import { type EventStore, EventStoreUnavailable, START } from "./port.ts";

/**
 * The last event that somebody saw of a log. It is also what the log is known by: ids are given out once, so only copies of
 * one log have the same event at the same position, and all that is before it too
 * (docs/decisions/0045-a-log-is-known-by-its-events.md).
 */
export interface LogMark {
  readonly position: bigint;
  /** Null: nothing was seen yet, or who saw it did not note the id. */
  readonly id: string | null;
}

/** What a read model has seen of the log. */
export interface ReadModelMark extends LogMark {
  /** Names this build of it: what is built anew has another name. */
  readonly build: string;
}

export const NOTHING_SEEN: LogMark = { position: START, id: null };

/** How a running service is told to take another log. */
export const REBUILD_ALL = "operator projection rebuild --all";

/** The log is not the one that was seen before: an older copy, another one, or empty. Nothing was attempted. */
export class AnotherLog extends EventStoreUnavailable {
  override readonly name = "AnotherLog";
  override readonly engine = "the log that the read models were made from";

  /** What the log lacks. */
  readonly mark: LogMark;

  constructor(mark: LogMark) {
    const { position, id } = mark;
    super(
      `the event log is not the one that was read before: it lacks ${id === null ? "the event" : `event ${id}`} at position ${position}. ` +
        `Put the right log back, or have all read models built anew from this one: ${REBUILD_ALL}`,
      { outcomeUnknown: false },
    );
    this.mark = mark;
  }
}

/** @param found id of the event that the log has at the mark's position, if any. */
export function isSameLog({ position, id }: LogMark, found: string | undefined): boolean {
  if (position === START) return true;
  return found !== undefined && (id === null || id === found);
}

/** @throws AnotherLog the log lacks what one of the marks names. */
export async function assertSameLog(log: Pick<EventStore, "eventIdAt">, marks: readonly LogMark[]): Promise<void> {
  const found = new Map<bigint, Promise<string | undefined>>([[START, Promise.resolve(undefined)]]);
  for (const mark of marks) {
    const reading = found.get(mark.position) ?? log.eventIdAt(mark.position);
    found.set(mark.position, reading);
    if (!isSameLog(mark, await reading)) throw new AnotherLog(mark);
  }
}
