import type { ComparedReading, DocumentContentType } from "@travel-booking/domain";
import { type DrawnDocument, ReviewerChildProcess, type Tasks } from "./child-process.ts";
import type { Isolation } from "./isolation.ts";

/** Real time for one document, including its pictures in all rotations. */
const READ_TIMEOUT_MS = 60_000;
/** Real time: an idle process is killed to free its memory. */
const IDLE_MS = 60_000;
/** Enough to downscale a page of eighty million pixels. */
const MAX_MEMORY_BYTES = 1_000_000_000;
/** The reviewer then replaces the process, because libraries leak memory. */
const MAX_READS_PER_PROCESS = 50;

type File = readonly [content: Uint8Array, contentType: DocumentContentType, names?: readonly string[]];

export interface DocumentReviewerOptions {
  readonly timeoutMs?: number;
  readonly idleMs?: number;
  /** Limit for the whole child process. */
  readonly maxMemoryBytes?: number;
  /** By `findIsolation`; absent: the process is the service's user, with its network. */
  readonly isolation?: Isolation;
}

/** The service stopped the reviewer; the document is unread. */
export class ReviewerStopped extends Error {
  override readonly name = "ReviewerStopped";
}

/**
 * Reads documents one after another in a child process with limited time and memory. The process starts on demand; the
 * reviewer replaces it when it dies.
 */
export class DocumentReviewer {
  readonly #options: DocumentReviewerOptions;
  #process: ReviewerChildProcess | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #idleTimer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: DocumentReviewerOptions = {}) {
    this.#options = options;
  }

  get pid(): number | undefined {
    return this.#process?.hasExited === false ? this.#process.pid : undefined;
  }

  /**
   * @param file with the passengers' names that it is compared with.
   * @throws ReadingFailed the process died, or took too long.
   * @throws ReviewerStopped
   */
  read(...file: File): Promise<ComparedReading> {
    return this.run("read", ...file);
  }

  /** Throws as `read` does. */
  run<Task extends keyof Tasks>(task: Task, ...file: File): Promise<Tasks[Task]> {
    const running = this.#queue.then(() => this.#run(task, ...file));
    this.#queue = running.catch(() => undefined);
    return running;
  }

  async #run<Task extends keyof Tasks>(task: Task, ...[content, contentType, names = []]: File): Promise<Tasks[Task]> {
    clearTimeout(this.#idleTimer);
    const document = { task, content, contentType, names };
    try {
      return await this.#runningProcess().run(document, this.#options.timeoutMs ?? READ_TIMEOUT_MS);
    } catch (error) {
      throw this.#stopped ? new ReviewerStopped("the reviewer is stopped") : error;
    } finally {
      this.#idleTimer = setTimeout(() => this.#killProcess(), this.#options.idleMs ?? IDLE_MS).unref();
    }
  }

  /** Aborts pending reads. */
  stop(): void {
    this.#stopped = true;
    this.#killProcess();
  }

  #runningProcess(): ReviewerChildProcess {
    if (this.#stopped) throw new ReviewerStopped("the reviewer is stopped");
    const known = this.#process;
    if (known !== undefined && !known.hasExited && known.readCount < MAX_READS_PER_PROCESS) return known;
    this.#killProcess();
    const { maxMemoryBytes = MAX_MEMORY_BYTES, isolation = [] } = this.#options;
    this.#process = new ReviewerChildProcess(maxMemoryBytes, isolation);
    return this.#process;
  }

  #killProcess(): void {
    clearTimeout(this.#idleTimer);
    this.#process?.kill();
    this.#process = undefined;
  }
}

/** Documents read concurrently, so that a slow one does not block all others. */
export const POOL_SIZE = 2;

/** Several reviewers; each document goes to the one with the fewest in flight. */
export class ReviewerPool {
  readonly #reviewers: readonly { readonly reviewer: DocumentReviewer; inFlight: number }[];

  constructor(options: DocumentReviewerOptions = {}) {
    this.#reviewers = Array.from({ length: POOL_SIZE }, () => ({
      reviewer: new DocumentReviewer(options),
      inFlight: 0,
    }));
  }

  /**
   * @param file with the passengers' names that it is compared with.
   * @throws ReadingFailed the process died, or took too long.
   * @throws ReviewerStopped
   */
  read(...file: File): Promise<ComparedReading> {
    return this.#run("read", ...file);
  }

  /** Throws as `read` does. */
  draw(...file: File): Promise<DrawnDocument> {
    return this.#run("draw", ...file);
  }

  async #run<Task extends keyof Tasks>(task: Task, ...file: File): Promise<Tasks[Task]> {
    const chosen = this.#reviewers.reduce((least, other) => (other.inFlight < least.inFlight ? other : least));
    chosen.inFlight += 1;
    try {
      return await chosen.reviewer.run(task, ...file);
    } finally {
      chosen.inFlight -= 1;
    }
  }

  /** Aborts pending reads. */
  stop(): void {
    for (const { reviewer } of this.#reviewers) reviewer.stop();
  }
}
