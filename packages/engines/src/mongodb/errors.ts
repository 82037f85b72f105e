import { withTimeout } from "@travel-booking/runtime/real-time";
import {
  MongoBulkWriteError,
  MongoClientClosedError,
  MongoExpiredSessionError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoOperationTimeoutError,
  MongoServerError,
  MongoSystemError,
  MongoTopologyClosedError,
  MongoWriteConcernError,
} from "mongodb";
import { EngineUnavailable } from "../unavailable.ts";

/** The server is out of reach, or does not let this process in. */
export class MongoUnavailable extends EngineUnavailable {
  override readonly name = "MongoUnavailable";
  override readonly engine = "MongoDB";
}

const DUPLICATE_KEY = 11_000;

/** The server can't do it now, or its answer does not say whether it has; by MongoDB's error codes. */
const UNAVAILABLE_CODES = new Set([
  1, // InternalError: what stands behind a compatible server is gone
  6, // HostUnreachable
  7, // HostNotFound
  13, // Unauthorized
  18, // AuthenticationFailed
  43, // CursorNotFound
  50, // MaxTimeMSExpired
  64, // WriteConcernTimeout
  89, // NetworkTimeout
  91, // ShutdownInProgress
  112, // WriteConflict
  133, // FailedToSatisfyReadPreference
  134, // ReadConcernMajorityNotAvailableYet
  175, // QueryPlanKilled
  189, // PrimarySteppedDown
  202, // NetworkInterfaceExceededTimeLimit
  237, // CursorKilled
  262, // ExceededTimeLimit
  317, // ConnectionPoolExpired
  9_001, // SocketException
  10_058, // NotPrimary, formerly
  10_107, // NotWritablePrimary
  11_600, // InterruptedAtShutdown
  11_602, // InterruptedDueToReplStateChange
  13_435, // NotPrimaryNoSecondaryOk
  13_436, // NotPrimaryOrSecondary
  14_031, // OutOfDiskSpace
]);

const DRIVER_ERRORS = [
  MongoNetworkError,
  MongoSystemError,
  MongoOperationTimeoutError,
  MongoNotConnectedError,
  MongoTopologyClosedError,
  MongoClientClosedError,
  MongoExpiredSessionError,
  MongoWriteConcernError,
];

/** Not exported by the driver. */
const POOL_ERROR_NAMES = new Set(["MongoPoolClosedError", "MongoWaitQueueTimeoutError"]);

/** The server, or its answer, did not come through: to be tried again later. A write may or may not be stored. */
export function isUnavailableError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof MongoUnavailable) return true;
  if (DRIVER_ERRORS.some((kind) => error instanceof kind) || POOL_ERROR_NAMES.has(error.name)) return true;
  return error instanceof MongoServerError && (UNAVAILABLE_CODES.has(Number(error.code)) || isDriverError(error));
}

/** A unique key is taken, and nothing else is wrong. */
export function isDuplicateKey(error: unknown): boolean {
  if (!(error instanceof MongoServerError) || error.code !== DUPLICATE_KEY) return false;
  if (!(error instanceof MongoBulkWriteError)) return true;
  return [error.writeErrors].flat().every(({ code }) => code === DUPLICATE_KEY);
}

/** Where many writes are sent at once, the driver gives its own errors the class of those that servers answer with. */
function isDriverError(error: MongoServerError): boolean {
  return error instanceof MongoBulkWriteError && error.code === undefined;
}

/** What a server says about a command may repeat its documents: of that only the name is told. */
export function reasonOf(error: unknown): string {
  if (error instanceof MongoServerError && !isDriverError(error))
    return String(error.codeName ?? `error ${error.code}`);
  return error instanceof Error ? error.message : String(error);
}

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
