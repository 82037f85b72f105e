import type { DocumentContentType, DocumentReading } from "@travel-booking/domain";
import { DocumentReviewer, type DocumentReviewerOptions } from "./document-reviewer.ts";

/** So many documents are read side by side: one that takes long does not hold up every other. */
export const READERS = 2;

/** Several reviewers: whoever has least to do reads. */
export class ReviewerPool {
  readonly #reviewers: readonly { readonly reviewer: DocumentReviewer; underWay: number }[];

  constructor(options: DocumentReviewerOptions = {}) {
    this.#reviewers = Array.from({ length: READERS }, () => ({ reviewer: new DocumentReviewer(options), underWay: 0 }));
  }

  /**
   * @throws ReadingFailed the process died of it, or took too long.
   * @throws ReviewerStopped
   */
  async read(content: Uint8Array, contentType: DocumentContentType): Promise<DocumentReading> {
    const chosen = this.#reviewers.reduce((least, other) => (other.underWay < least.underWay ? other : least));
    chosen.underWay += 1;
    try {
      return await chosen.reviewer.read(content, contentType);
    } finally {
      chosen.underWay -= 1;
    }
  }

  /** Ends what is being read. */
  stop(): void {
    for (const { reviewer } of this.#reviewers) reviewer.stop();
  }
}
