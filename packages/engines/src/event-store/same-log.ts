import type { LogMark } from "../log-mark.ts";
import { type EventStore, EventStoreUnavailable, START } from "./port.ts";

export type { LogMark, ReadModelMark } from "../log-mark.ts";

export const NOTHING_SEEN: LogMark = { position: START, id: null };

/** The command with which an operator makes a running service accept another log. */
export const REBUILD_ALL = "operator projection rebuild --all";

/** The log is not the one seen before: an older copy, another log, or empty. Nothing was attempted. */
export class AnotherLog extends EventStoreUnavailable {
  override readonly name = "AnotherLog";
  override readonly engine = "the log that the read models were made from";

  /** The event that the log lacks. */
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

/** @throws AnotherLog the log lacks the event of a mark. */
export async function assertSameLog(log: Pick<EventStore, "eventIdAt">, marks: readonly LogMark[]): Promise<void> {
  const found = new Map<bigint, Promise<string | undefined>>([[START, Promise.resolve(undefined)]]);
  for (const mark of marks) {
    const reading = found.get(mark.position) ?? log.eventIdAt(mark.position);
    found.set(mark.position, reading);
    const id = await reading;
    if (mark.position !== START && (id === undefined || (mark.id !== null && mark.id !== id)))
      throw new AnotherLog(mark);
  }
}
