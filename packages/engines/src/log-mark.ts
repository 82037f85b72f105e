/**
 * The last event that a reader saw of a log. A log is recognised by such events: each id is given out once, so only
 * copies of one log have the same event at the same position, and everything before it too
 * (docs/decisions/0045-a-log-is-known-by-its-events.md).
 */
export interface LogMark {
  readonly position: bigint;
  /** Null if nothing was seen yet, or the reader did not note the id. */
  readonly id: string | null;
}

/** The last event that a read model has seen of the log. */
export interface ReadModelMark extends LogMark {
  /** Names this build of the read model. A rebuild gets another name. */
  readonly build: string;
}
