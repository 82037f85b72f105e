import type { Duplex } from "node:stream";
import type { ComparedReading, DocumentContentType } from "@travel-booking/domain";
import { NoAnswer, NobodyToAsk, Requests } from "@travel-booking/runtime/requests";
import { type DrawnDocument, type ReaderAnswer, type ReadRequest, readerAnswer } from "./answers.ts";

/** Real time for one document, including its pictures in all rotations. */
const READ_TIMEOUT_MS = 60_000;
/** Real time after which an idle process is ended to free its memory. */
const IDLE_MS = 60_000;
/** After so many documents the process is replaced, because libraries leak memory. */
const MAX_READS_PER_PROCESS = 50;
/** More than a drawn document of many pages, which has a few megabytes. */
const MAX_ANSWER_BYTES = 67_108_864;

type File = readonly [content: Uint8Array, contentType: DocumentContentType, names?: readonly string[]];

export interface DocumentReviewerOptions {
  /** Opens a stream to a reading process (`startReader`, `connectTo`), which ends with the stream. */
  readonly connect: () => Promise<Duplex>;
  readonly timeoutMs?: number;
  readonly idleMs?: number;
}

/** The reading process ended before it answered, or sent an invalid answer. */
export class ReadingFailed extends Error {
  override readonly name: string = "ReadingFailed";
}

/** Reading took too long. A second attempt would take as long. */
export class ReadingTimeout extends ReadingFailed {
  override readonly name = "ReadingTimeout";
}

/** No reading process is available; the document is unread. */
export class ReaderAway extends Error {
  override readonly name = "ReaderAway";
}

/** The service stopped the reviewer; the document is unread. */
export class ReviewerStopped extends Error {
  override readonly name = "ReviewerStopped";
}

/**
 * Reads documents one after another in a process with limited time and memory. The process is started when needed, and
 * replaced after it has ended.
 */
export class DocumentReviewer {
  readonly #requests: Requests<ReaderAnswer>;
  readonly #idleMs: number;
  #readCount = 0;
  #queue: Promise<unknown> = Promise.resolve();
  #idleTimer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor({ connect, timeoutMs = READ_TIMEOUT_MS, idleMs = IDLE_MS }: DocumentReviewerOptions) {
    this.#idleMs = idleMs;
    // A late process is ended at once, because it would keep reading.
    const bounds = { maxAnswerBytes: MAX_ANSWER_BYTES, timeoutMs, silenceMs: 0, endMs: 0 };
    this.#requests = new Requests({ connect, answer: readerAnswer, ...bounds });
  }

  /**
   * @param file with the passengers' names, which are compared with it.
   * @throws ReadingFailed the process ended, took too long, or sent an invalid answer.
   * @throws ReaderAway
   * @throws ReviewerStopped
   */
  async read(...file: File): Promise<ComparedReading> {
    const { answer } = await this.#run("read", ...file);
    if ("read" in answer) return answer.read;
    throw new ReadingFailed("it answered what was not asked");
  }

  /** Throws as `read` does. */
  async draw(...file: File): Promise<DrawnDocument> {
    const { answer, file: picture } = await this.#run("draw", ...file);
    if (!("drawn" in answer)) throw new ReadingFailed("it answered what was not asked");
    return answer.drawn === true ? { outcome: "drawn", picture } : answer.drawn;
  }

  /** Aborts the document that is being read. */
  stop(): void {
    this.#stopped = true;
    this.#endProcess();
  }

  #run(task: ReadRequest["task"], ...file: File) {
    const running = this.#queue.then(() => this.#ask(task, ...file));
    this.#queue = running.catch(() => undefined);
    return running;
  }

  async #ask(task: ReadRequest["task"], ...[content, contentType, names = []]: File) {
    clearTimeout(this.#idleTimer);
    try {
      if (this.#stopped) throw new ReviewerStopped("the reviewer is stopped");
      if (this.#readCount === MAX_READS_PER_PROCESS) this.#endProcess();
      this.#readCount += 1;
      const request: ReadRequest = { task, contentType, names };
      const answered = await this.#requests.ask(request, content);
      if ("failed" in answered.answer) throw new ReadingFailed(`it failed: ${answered.answer.failed}`);
      return answered;
    } catch (error) {
      throw this.#failure(error as Error);
    } finally {
      this.#idleTimer = setTimeout(() => this.#endProcess(), this.#idleMs).unref();
    }
  }

  #failure(error: Error): Error {
    if (this.#stopped) return new ReviewerStopped("the reviewer is stopped");
    if (error instanceof ReadingFailed) return error;
    const about = [`the reader of documents: ${error.message}`, { cause: error }] as const;
    if (error instanceof NobodyToAsk) return new ReaderAway(...about);
    return error instanceof NoAnswer ? new ReadingTimeout(...about) : new ReadingFailed(...about);
  }

  #endProcess(): void {
    clearTimeout(this.#idleTimer);
    this.#readCount = 0;
    this.#requests.abort();
  }
}

/** Documents read concurrently, so that a slow one does not block all others. */
export const POOL_SIZE = 2;

/** Several reviewers; each document goes to the one with the fewest in flight. */
export class ReviewerPool {
  readonly #reviewers: readonly { readonly reviewer: DocumentReviewer; inFlight: number }[];

  constructor(options: DocumentReviewerOptions) {
    this.#reviewers = Array.from({ length: POOL_SIZE }, () => ({
      reviewer: new DocumentReviewer(options),
      inFlight: 0,
    }));
  }

  /** Throws as `DocumentReviewer.read` does. @param file with the passengers' names, which are compared with it. */
  read(...file: File): Promise<ComparedReading> {
    return this.#run((reviewer) => reviewer.read(...file));
  }

  /** Throws as `read` does. */
  draw(...file: File): Promise<DrawnDocument> {
    return this.#run((reviewer) => reviewer.draw(...file));
  }

  async #run<Result>(work: (reviewer: DocumentReviewer) => Promise<Result>): Promise<Result> {
    const chosen = this.#reviewers.reduce((least, other) => (other.inFlight < least.inFlight ? other : least));
    chosen.inFlight += 1;
    try {
      return await work(chosen.reviewer);
    } finally {
      chosen.inFlight -= 1;
    }
  }

  /** Aborts the documents that are being read. */
  stop(): void {
    for (const { reviewer } of this.#reviewers) reviewer.stop();
  }
}
