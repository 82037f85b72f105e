import { types } from "node:util";
import type { RootDatabase } from "lmdb";

/**
 * Why a write was refused. LMDB rejects every promise of a failed transaction with an error that only points to the
 * cause, by a promise of its own.
 */
export async function causeOfWriteFailure(error: unknown): Promise<unknown> {
  const cause = commitErrorOf(error);
  return cause === undefined ? error : cause.catch((reason: unknown) => reason);
}

/**
 * Answers for the promise that LMDB makes for each of its batches and gives to nobody. A failed write reaches whoever
 * asked for it by a promise of its own; this one would only end the process as a rejection nobody handled.
 */
export function suppressBatchRejections(root: RootDatabase<unknown, string>): void {
  const handle = (error: unknown) => void causeOfWriteFailure(error);
  root.on("beforecommit", () => queueMicrotask(() => root.committed.then(undefined, handle)));
}

function commitErrorOf(error: unknown): Promise<unknown> | undefined {
  return types.isNativeError(error) && "commitError" in error && types.isPromise(error.commitError)
    ? error.commitError
    : undefined;
}
