import { EventStoreUnavailable } from "../port.ts";

const NOTHING_ATTEMPTED = [
  // What gRPC says of a call that never left this process.
  /No connection established|Name resolution failed|Channel closed before call started/,
  // What the server says of a call that it did not look at.
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

/** An append failed, and was stored or not. */
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
