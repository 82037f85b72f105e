/** The file of a multipart body as it arrives. */
export interface IncomingFile {
  /** As the client named it; undefined where it did not. */
  readonly fileName: string | undefined;
  /**
   * To be read once. It ends only after all of the body has turned out well, so whoever stores what it reads stores
   * nothing of a body that is no good.
   * @throws UnacceptableFile and others, which are to be thrown on.
   */
  readonly content: AsyncIterable<Uint8Array>;
}

/** A file that was taken in before its command is decided. */
export interface StagedFile {
  /** What the handler is given as body. */
  readonly body: unknown;
  /** Stands for the body in the fingerprint of an Idempotency-Key. */
  readonly fingerprint: unknown;
  /** Once the command has been answered: what of the file is of no use any more is removed. Never rejects. */
  discardUnused(): Promise<void>;
}

/** What is wrong with a file, for the one who sent it: 400, one entry per problem. */
export class InvalidFile extends Error {
  override readonly name = "UnacceptableFile";
  readonly problems: readonly string[];

  constructor(...problems: readonly string[]) {
    super(problems.join("; "));
    this.problems = problems;
  }
}

/** The client went away before all of its file was there. */
export class ClientAborted extends Error {
  override readonly name = "ClientGone";
}
