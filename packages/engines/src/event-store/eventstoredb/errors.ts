import { EventStoreUnavailable } from "../port.ts";

/** The server refuses an append of this size, as it is set. */
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

/** A stream has an event that this service did not write, so its state is unknown. */
export class ForeignEvent extends Error {
  override readonly name = "ForeignEvent";

  constructor(stream: string, revision: bigint) {
    super(`event ${revision} of stream ${stream} in EventStoreDB was not written by this service`);
  }
}

/** The stream has a tombstone: it can neither be read nor written any more. */
export class StreamTombstoned extends Error {
  override readonly name = "StreamTombstoned";

  constructor(stream: string) {
    super(`stream ${stream} in EventStoreDB was deleted for good`);
  }
}

const NOTHING_ATTEMPTED = [
  // gRPC: the call never left this process.
  /No connection established|Name resolution failed|Channel closed before call started/,
  // The server did not process the call.
  /Server Is (?:Not Ready|Busy|Too Busy)|UNAUTHENTICATED|PERMISSION_DENIED|AccessDenied/,
];

export function storeClosed(): EventStoreUnavailable {
  return new EventStoreUnavailable("the event store is closed", { outcomeUnknown: false });
}

/** A read or a connection failed. */
export function unavailable(cause: unknown): EventStoreUnavailable {
  if (cause instanceof EventStoreUnavailable) return cause;
  return new EventStoreUnavailable(`EventStoreDB is out of reach: ${reasonOf(cause)}`, {
    outcomeUnknown: false,
    cause,
  });
}

/** An append failed; it may have been stored. */
export function appendUnavailable(cause: unknown): EventStoreUnavailable {
  const reason = reasonOf(cause);
  const outcomeUnknown = !NOTHING_ATTEMPTED.some((said) => said.test(reason));
  return new EventStoreUnavailable(`EventStoreDB did not take an append: ${reason}`, { outcomeUnknown, cause });
}

/** Errors of the client may have no message, but a type. */
export function reasonOf(cause: unknown): string {
  if (typeof cause !== "object" || cause === null) return String(cause);
  if ("message" in cause && cause.message) return String(cause.message);
  return "type" in cause ? String(cause.type) : String(cause);
}
