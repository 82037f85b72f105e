import { silentLogger } from "@travel-booking/runtime";
import { DocumentReviewer, type DocumentReviewerOptions } from "../src/document-reviewer.ts";
import { findIsolation, type Isolation } from "../src/isolation.ts";
import { startReader } from "../src/start-reader.ts";

/** Long, because on a busy machine the reading process comes last. */
const PATIENT_MS = 240_000;

let isolation: Promise<Isolation> | undefined;

/** A reviewer like the services', but more patient. */
export function newReviewer(options: Partial<DocumentReviewerOptions> = {}): DocumentReviewer {
  const connect = async () => {
    isolation ??= findIsolation();
    return startReader({ isolation: await isolation, logger: silentLogger });
  };
  return new DocumentReviewer({ connect, timeoutMs: PATIENT_MS, ...options });
}
