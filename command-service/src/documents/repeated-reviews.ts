import { ReadingFailed } from "@travel-booking/document-reviewer";
import { type FileReading, type ReviewOutcome, readFile, recordReading } from "@travel-booking/domain";
import { runSaga, type SagaResult } from "../processes/run-saga.ts";
import type { CommandServices } from "../services.ts";

/**
 * Reviews of documents, each repeated until it is recorded. A file is read again only if reading failed, or the
 * passengers have other names by then.
 */
export class RepeatedReviews {
  readonly #services: CommandServices;
  /** By document: a reading that is not recorded yet. */
  readonly #read = new Map<string, FileReading>();
  /** By document: how often reading has failed. */
  readonly #failures = new Map<string, number>();

  constructor(services: CommandServices) {
    this.#services = services;
  }

  /**
   * @param ends how often a process ended during the review. Each counts as a failed reading.
   * @throws Error the review must be repeated.
   */
  async review(bookingId: string, documentId: string, ends = 0): Promise<SagaResult<ReviewOutcome>> {
    const read = this.#read.get(documentId) ?? (await this.#readFile(bookingId, documentId, ends));
    this.#read.set(documentId, read);
    const recorded = await runSaga(this.#services, recordReading(bookingId, documentId, read));
    this.#read.delete(documentId);
    if (recorded.result === "outdated") this.#countFailure(documentId);
    else this.#failures.delete(documentId);
    return recorded;
  }

  async #readFile(bookingId: string, documentId: string, ends: number): Promise<FileReading> {
    const attempt = (this.#failures.get(documentId) ?? 0) + ends + 1;
    try {
      return (await runSaga(this.#services, readFile(bookingId, documentId, attempt))).result;
    } catch (error) {
      if (error instanceof ReadingFailed) this.#countFailure(documentId);
      throw error;
    }
  }

  #countFailure(documentId: string): void {
    this.#failures.set(documentId, (this.#failures.get(documentId) ?? 0) + 1);
  }
}
