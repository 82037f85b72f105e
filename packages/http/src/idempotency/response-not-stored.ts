/**
 * The command was carried out, and its answer could not be kept under its key: it must not be given, since a repetition
 * might be answered otherwise. The same key carries the same command out again.
 */
export class ResponseNotStored extends Error {
  override readonly name = "AnswerNotKept";
  /** Something may have been done. */
  readonly outcomeUnknown = true;

  constructor(cause: unknown) {
    super("the answer to a request could not be kept under its Idempotency-Key", { cause });
  }
}
