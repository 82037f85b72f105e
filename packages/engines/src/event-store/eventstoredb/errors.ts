/** The server refuses an append for its size, and always will. */
export class AppendTooLarge extends Error {
  override readonly name = "AppendTooLarge";
  readonly stream: string;
  /** In bytes. */
  readonly size: number;

  /** @param limit in bytes. */
  constructor(stream: string, size: number, limit: number) {
    super(`an append of ${size} bytes to stream ${stream} is too large: EventStoreDB takes ${limit}`);
    this.stream = stream;
    this.size = size;
  }
}

/** There is an event in a stream that this service did not write, so the stream's state can't be known. */
export class ForeignEvent extends Error {
  override readonly name = "ForeignEvent";

  constructor(stream: string, revision: bigint) {
    super(`event ${revision} of stream ${stream} in EventStoreDB was not written by this service`);
  }
}

/** Somebody has put a tombstone on a stream: it can be neither read nor written any more. */
export class StreamTombstoned extends Error {
  override readonly name = "StreamTombstoned";

  constructor(stream: string) {
    super(`stream ${stream} in EventStoreDB was deleted for good`);
  }
}
