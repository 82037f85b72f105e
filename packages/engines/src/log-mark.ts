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
