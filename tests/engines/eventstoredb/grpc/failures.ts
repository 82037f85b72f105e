import { Metadata, type StatusObject, status } from "@grpc/grpc-js";
import type { Refusal } from "../control/faults.ts";

/** What a call ends with instead of an answer; the client tells them apart by the trailer `exception`. */
export type Failure = Pick<StatusObject, "code" | "details"> & { readonly metadata?: Metadata };

export const NOT_READY: Failure = { code: status.UNAVAILABLE, details: "Server Is Not Ready" };
export const TIMED_OUT: Failure = { code: status.ABORTED, details: "Operation timed out" };
export const TOO_SLOW: Failure = { code: status.ABORTED, details: "Operation timed out: Consumer too slow" };
export const CANCELLED: Failure = { code: status.CANCELLED, details: "Subscription was dropped" };
export const STOPPING: Failure = { code: status.INTERNAL, details: "Received RST_STREAM with code 0" };

export const REFUSALS: Readonly<Record<Refusal, Failure>> = {
  unauthenticated: { code: status.UNAUTHENTICATED, details: "Unauthenticated" },
  "access denied": failure(status.PERMISSION_DENIED, "Access Denied", { exception: "access-denied" }),
};

/** What a handler of the server throws. */
export const THROWN: Failure = { code: status.UNKNOWN, details: "Exception was thrown by handler." };

/** A follower is asked for what only the leader answers. @param leader its host and port. */
export function notLeader(leader: string): Failure {
  const [host = "", port = ""] = leader.split(":");
  return failure(status.NOT_FOUND, `Leader info available: ${leader}`, {
    exception: "not-leader",
    "leader-endpoint-host": host,
    "leader-endpoint-port": port,
  });
}

export function invalid(details: string): Failure {
  return { code: status.INVALID_ARGUMENT, details };
}

/** What the server did not foresee, as it says it. */
export function unexpected(details: string): Failure {
  return { code: status.UNKNOWN, details };
}

export function deleted(stream: string): Failure {
  return failure(status.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, {
    exception: "stream-deleted",
    "stream-name": stream,
  });
}

export function tooLarge(limit: number): Failure {
  return failure(status.INVALID_ARGUMENT, `Maximum Append Size of ${limit} Exceeded.`, {
    exception: "maximum-append-size-exceeded",
    "maximum-append-size": String(limit),
  });
}

export function wrongVersion(stream: string, expected: bigint, actual: bigint): Failure {
  return failure(status.FAILED_PRECONDITION, "failed due to WrongExpectedVersion", {
    exception: "wrong-expected-version",
    "stream-name": stream,
    "expected-version": String(expected),
    "actual-version": String(actual),
  });
}

function failure(code: status, details: string, trailers: Readonly<Record<string, string>>): Failure {
  const metadata = new Metadata();
  // Trailers are ASCII.
  for (const [name, value] of Object.entries(trailers)) metadata.set(name, value.replace(/[^ -~]/g, "?"));
  return { code, details, metadata };
}
