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

/** The server is out of reach, or refuses to authenticate this process. */
export class MongoUnavailable extends EngineUnavailable {
  override readonly name = "MongoUnavailable";
  override readonly engine = "MongoDB";
}

const DUPLICATE_KEY = 11_000;

/** MongoDB's codes of errors after which the operation may be retried, or may have been carried out. */
const UNAVAILABLE_CODES = new Set([
  1, // InternalError: also of compatible servers whose storage is gone
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
  276, // IndexBuildAborted
  317, // ConnectionPoolExpired
  365, // TemporarilyUnavailable
  9_001, // SocketException
  10_058, // NotPrimary, formerly
  10_107, // NotWritablePrimary
  11_600, // InterruptedAtShutdown
  11_601, // Interrupted
  11_602, // InterruptedDueToReplStateChange
  13_435, // NotPrimaryNoSecondaryOk
  13_436, // NotPrimaryOrSecondary
  14_031, // OutOfDiskSpace
]);

/** Labels with which a server says that a retry may succeed. */
const RETRYABLE_LABELS = ["RetryableWriteError", "TransientTransactionError", "RetryableError"];

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

/** Names of errors whose classes the driver does not export. */
const POOL_ERROR_NAMES = new Set(["MongoPoolClosedError", "MongoWaitQueueTimeoutError"]);

/** Codes of a connection that ended while a command was being sent. The driver (7.8) passes the socket's error on. */
const SOCKET_ERROR_CODES = new Set(["ECONNRESET", "EPIPE", "ETIMEDOUT", "ERR_STREAM_DESTROYED"]);

/** Whether the server is out of reach for now. The operation may be retried; a write may have been stored. */
export function isUnavailableError(error: unknown): boolean {
  if (!Error.isError(error)) return false;
  if (error instanceof MongoUnavailable) return true;
  if (DRIVER_ERRORS.some((kind) => error instanceof kind) || POOL_ERROR_NAMES.has(error.name)) return true;
  if (SOCKET_ERROR_CODES.has(String((error as NodeJS.ErrnoException).code))) return true;
  if (!(error instanceof MongoServerError)) return false;
  if (RETRYABLE_LABELS.some((label) => error.hasErrorLabel(label))) return true;
  return UNAVAILABLE_CODES.has(Number(error.code)) || isDriverError(error);
}

const AUTHENTICATION_FAILED = 18;

/** The error that says what an operator has to mend; undefined if waiting may help. */
export function refusalOf({ cause }: MongoUnavailable): MongoUnavailable | undefined {
  if (!(cause instanceof MongoServerError) || cause.code !== AUTHENTICATION_FAILED) return undefined;
  const message = "MongoDB does not accept the user and the password of the address";
  return new MongoUnavailable(message, { cause, isMisconfigured: true });
}

/** Whether the only failure is that a unique key is taken. */
export function isDuplicateKey(error: unknown): boolean {
  if (!(error instanceof MongoServerError) || error.code !== DUPLICATE_KEY) return false;
  if (!(error instanceof MongoBulkWriteError)) return true;
  return [error.writeErrors].flat().every(({ code }) => code === DUPLICATE_KEY);
}

/** For bulk writes the driver wraps its own errors in the class of server errors. */
function isDriverError(error: MongoServerError): boolean {
  return error instanceof MongoBulkWriteError && error.code === undefined;
}

/** A reason without documents. A server may repeat them in its message, so only the name of its error is used. */
export function reasonOf(error: unknown): string {
  if (error instanceof MongoServerError && !isDriverError(error))
    return String(error.codeName ?? `error ${error.code}`);
  return Error.isError(error) ? error.message : String(error);
}

/** A server that does not answer a read within this many milliseconds counts as out of reach. */
export const READ_TIMEOUT_MS = 5_000;

/**
 * Real milliseconds, far above the limits of single operations. Only this limit ends a command that the driver sends on
 * a connection that is just being closed.
 */
const OPERATION_TIMEOUT_MS = 120_000;

/** A port's error class for an engine that is out of reach. */
export type UnavailableError = new (message: string, options: ErrorOptions) => Error;

/**
 * Runs work on the server. Translates errors of an unreachable server to `Unavailable`, with the driver's error as the
 * cause. A server that needs more than two minutes for the work counts as unreachable.
 */
export async function translateMongoErrors<Result>(
  Unavailable: UnavailableError,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    const timedOut = () => new MongoUnavailable(`no answer within ${OPERATION_TIMEOUT_MS / 1_000} s`);
    return await withTimeout(work(), OPERATION_TIMEOUT_MS, timedOut);
  } catch (error) {
    if (!isUnavailableError(error)) throw error;
    throw new Unavailable(`MongoDB is out of reach, a write under way may or may not be stored: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}
