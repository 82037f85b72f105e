import { isOutOfReach, reasonOf } from "./driver-errors.ts";

/** A port's own error for an engine that is out of reach. */
export type UnavailableError = new (message: string, options: ErrorOptions) => Error;

/**
 * Runs work on the server. Where the server, or its answer, is out of reach, that is an `Unavailable` with the driver's
 * error as its cause; anything else is passed on.
 */
export async function reaching<Result>(Unavailable: UnavailableError, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isOutOfReach(error)) throw error;
    throw new Unavailable(`MongoDB is out of reach, a write under way may or may not be stored: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}
