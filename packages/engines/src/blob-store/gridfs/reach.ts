import { reaching } from "../../mongodb/index.ts";
import { BlobStoreUnavailable } from "../errors.ts";

/** @throws BlobStoreUnavailable */
export function reach<Result>(work: () => Promise<Result>): Promise<Result> {
  return reaching(BlobStoreUnavailable, work);
}

/** The server answers a read within so many milliseconds, or counts as out of reach. */
export const READ_MS = 5_000;
