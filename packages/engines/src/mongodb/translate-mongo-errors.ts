import { withTimeout } from "@travel-booking/runtime/real-time";
import { isUnavailableError, reasonOf } from "./driver-errors.ts";
import { MongoUnavailable } from "./mongo-unavailable.ts";

/**
 * Real milliseconds: far beyond what anything here takes, and what every operation has as its own limits. A command
 * that the driver sends into a connection that is just being closed is answered by nobody and ended by nothing else.
 */
const OPERATION_TIMEOUT_MS = 120_000;

/** A port's own error for an engine that is out of reach. */
export type UnavailableError = new (message: string, options: ErrorOptions) => Error;

/**
 * Runs work on the server. Where the server, or its answer, is out of reach, that is an `Unavailable` with the driver's
 * error as its cause; anything else is passed on. Work that takes longer than two minutes counts as out of reach.
 */
export async function translateMongoErrors<Result>(
  Unavailable: UnavailableError,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await withTimeout(work(), OPERATION_TIMEOUT_MS, operationTimedOut);
  } catch (error) {
    if (!isUnavailableError(error)) throw error;
    throw new Unavailable(`MongoDB is out of reach, a write under way may or may not be stored: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

function operationTimedOut(): MongoUnavailable {
  return new MongoUnavailable(`nothing was answered within ${OPERATION_TIMEOUT_MS / 1_000} s`);
}
