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
import { MongoUnavailable } from "./mongo-unavailable.ts";

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
