import type { DocumentContentType, DocumentReading } from "@travel-booking/domain";
import { DocumentReviewer, type DocumentReviewerOptions } from "./document-reviewer.ts";

/** So many documents are read side by side: one that takes long does not hold up every other. */
export const POOL_SIZE = 2;

/** Several reviewers: whoever has least to do reads. */
export class ReviewerPool {
  readonly #reviewers: readonly { readonly reviewer: DocumentReviewer; inFlight: number }[];

  constructor(options: DocumentReviewerOptions = {}) {
    this.#reviewers = Array.from({ length: POOL_SIZE }, () => ({
      reviewer: new DocumentReviewer(options),
      inFlight: 0,
    }));
  }

  /**
   * @throws ReadingFailed the process died of it, or took too long.
   * @throws ReviewerStopped
   */
  async read(content: Uint8Array, contentType: DocumentContentType): Promise<DocumentReading> {
    const chosen = this.#reviewers.reduce((least, other) => (other.inFlight < least.inFlight ? other : least));
    chosen.inFlight += 1;
    try {
      return await chosen.reviewer.read(content, contentType);
    } finally {
      chosen.inFlight -= 1;
    }
  }

  /** Ends what is being read. */
  stop(): void {
    for (const { reviewer } of this.#reviewers) reviewer.stop();
  }
}
