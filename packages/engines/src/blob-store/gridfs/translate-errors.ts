import { translateMongoErrors } from "../../mongodb/index.ts";
import { BlobStoreUnavailable } from "../errors.ts";

/** @throws BlobStoreUnavailable */
export function translateErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  return translateMongoErrors(BlobStoreUnavailable, work);
}

/** The server answers a read within so many milliseconds, or counts as out of reach. */
export const READ_TIMEOUT_MS = 5_000;
