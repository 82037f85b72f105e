import type { DocumentContentType, DocumentReading } from "@travel-booking/domain";
import { ReviewerChildProcess } from "./reviewer-child-process.ts";

/** Real time: for all of one document, reading its pictures in four directions included. */
const READ_TIMEOUT_MS = 60_000;
/** Real time: an idle process is ended, and with it its memory is free. */
const IDLE_MS = 60_000;
/** Bytes: a page of eighty million pixels fits while it is made smaller. */
const MAX_MEMORY_BYTES = 1_000_000_000;
/** Libraries leak: a process that has read so many documents is replaced. */
const MAX_READS_PER_PROCESS = 50;

export interface DocumentReviewerOptions {
  readonly timeoutMs?: number;
  readonly idleMs?: number;
  /** Bytes of the process that reads, all of its memory. */
  readonly maxMemoryBytes?: number;
}

/** The reviewer stops with its service: nothing was learnt about the document. */
export class ReviewerStopped extends Error {
  override readonly name = "ReviewerStopped";
}

/**
 * Reads documents one after another in a process of its own, which is bounded in time and memory, begun when it is
 * needed and replaced when it dies.
 */
export class DocumentReviewer {
  readonly #options: DocumentReviewerOptions;
  #process: ReviewerChildProcess | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #idle: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: DocumentReviewerOptions = {}) {
    this.#options = options;
  }

  /** The process that reads now, or waits for the next. */
  get pid(): number | undefined {
    return this.#process?.hasExited === false ? this.#process.pid : undefined;
  }

  /**
   * @throws ReadingFailed the process died of it, or took too long.
   * @throws ReviewerStopped
   */
  read(content: Uint8Array, contentType: DocumentContentType): Promise<DocumentReading> {
    const reading = this.#queue.then(() => this.#read(content, contentType));
    this.#queue = reading.catch(() => undefined);
    return reading;
  }

  async #read(content: Uint8Array, contentType: DocumentContentType): Promise<DocumentReading> {
    clearTimeout(this.#idle);
    try {
      return await this.#runningProcess().read(content, contentType, this.#options.timeoutMs ?? READ_TIMEOUT_MS);
    } catch (error) {
      throw this.#stopped ? new ReviewerStopped("the reviewer is stopped") : error;
    } finally {
      this.#idle = setTimeout(() => this.#end(), this.#options.idleMs ?? IDLE_MS).unref();
    }
  }

  /** Ends what is being read. */
  stop(): void {
    this.#stopped = true;
    this.#end();
  }

  #runningProcess(): ReviewerChildProcess {
    if (this.#stopped) throw new ReviewerStopped("the reviewer is stopped");
    const known = this.#process;
    if (known !== undefined && !known.hasExited && known.readCount < MAX_READS_PER_PROCESS) return known;
    this.#end();
    this.#process = new ReviewerChildProcess(this.#options.maxMemoryBytes ?? MAX_MEMORY_BYTES);
    return this.#process;
  }

  #end(): void {
    clearTimeout(this.#idle);
    this.#process?.kill();
    this.#process = undefined;
  }
}
