import type { ServiceError } from "@grpc/grpc-js";
import { EventStoreUnavailable } from "../port.ts";

/** A stream has an event that this service did not write, so its state is unknown. */
export class ForeignEvent extends Error {
  override readonly name = "ForeignEvent";

  constructor(stream: string, revision: number) {
    super(`event ${revision} of stream ${stream} in EventStoreDB was not written by this service`);
  }
}

/** The stream has a tombstone, so it can never be read or written again. */
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
  /Server Is (?:Not Ready|Busy|Too Busy)/,
];

export function storeClosed(): EventStoreUnavailable {
  return new EventStoreUnavailable("the event store is closed", { outcomeUnknown: false });
}

/** Problems that an operator has to solve, by the client's message. */
const MISCONFIGURED: readonly (readonly [RegExp, string])[] = [
  [/^16 UNAUTHENTICATED/, "EventStoreDB does not accept the user and the password of the address"],
  [
    /PERMISSION_DENIED|AccessDenied/,
    "the user of the address, or nobody if it names none, may not read $all and write streams",
  ],
  [
    /Failed to load certificate/,
    "a file that the address names with tlsCAFile, userCertFile or userKeyFile can't be read",
  ],
  [/wrong version number/, "EventStoreDB speaks no TLS: give it a certificate, or add tls=false to the address"],
  [
    /does not match certificate's altnames/,
    "the certificate of EventStoreDB is for another host than the address names",
  ],
  [
    /self[- ]signed certificate|unable to (?:get|verify)[\w ]* certificate|certificate (?:has expired|is not yet valid)/,
    "the certificate of EventStoreDB is not trusted here: name its authority's with tlsCAFile in the address",
  ],
];

function misconfigured(cause: unknown): EventStoreUnavailable | undefined {
  const reason = reasonOf(cause);
  const message = MISCONFIGURED.find(([said]) => said.test(reason))?.[1];
  if (message === undefined) return undefined;
  return new EventStoreUnavailable(message, { outcomeUnknown: false, isMisconfigured: true, cause });
}

export function speaksTlsOnly(): EventStoreUnavailable {
  const message = "EventStoreDB speaks TLS: take tls=false out of the address";
  return new EventStoreUnavailable(message, { outcomeUnknown: false, isMisconfigured: true });
}

/** A read or a connection failed. */
export function unavailable(cause: unknown): EventStoreUnavailable {
  if (cause instanceof EventStoreUnavailable) return cause;
  const ofOperator = misconfigured(cause);
  if (ofOperator !== undefined) return ofOperator;
  return new EventStoreUnavailable(`EventStoreDB is out of reach: ${reasonOf(cause)}`, {
    outcomeUnknown: false,
    cause,
  });
}

/** An append failed, but may have been stored. */
export function appendUnavailable(cause: unknown): EventStoreUnavailable {
  const ofOperator = misconfigured(cause);
  if (ofOperator !== undefined) return ofOperator;
  const reason = reasonOf(cause);
  const outcomeUnknown = !NOTHING_ATTEMPTED.some((said) => said.test(reason));
  return new EventStoreUnavailable(`EventStoreDB did not take an append: ${reason}`, { outcomeUnknown, cause });
}

/** Whether the server says that a stream has a tombstone. */
export function isStreamDeleted(cause: unknown): boolean {
  const metadata = (cause as Partial<ServiceError> | null)?.metadata;
  return metadata?.get("exception")[0] === "stream-deleted";
}

/** The reason of a failure, in words for an operator. */
export function explain(cause: unknown): string {
  return misconfigured(cause)?.message ?? reasonOf(cause);
}

/** Errors of the client may have a type instead of a message. */
export function reasonOf(cause: unknown): string {
  if (typeof cause !== "object" || cause === null) return String(cause);
  if ("message" in cause && cause.message) return String(cause.message);
  return "type" in cause ? String(cause.type) : String(cause);
}
