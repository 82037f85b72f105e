import type { DestinationStream } from "pino";

/** Milliseconds of real time between tries to write to a full pipe, and the limit for the last lines of a process. */
const RETRY_MS = 100;
const FLUSH_MS = 500;
const FLUSH_PAUSE_MS = 5;
/** Bytes of lines that may wait for room in the pipe. Errors may take twice as much. */
const MAX_WAITING_BYTES = 1_048_576;

const IS_ERROR = /^\{"level":"(?:error|fatal)"/;

interface LogOutputOptions {
  /** Writes as many bytes as there is room for, and returns how many. @throws an error with a code, such as EAGAIN. */
  readonly write: (bytes: Uint8Array) => number;
  /** Called when there is room again, with the number of lines that were dropped. */
  readonly onDropped: (lines: number) => void;
}

/**
 * Writes lines at once. If nothing reads the pipe, lines wait, and then are dropped, because an unread log must not
 * stop the service.
 */
export class LogOutput implements DestinationStream {
  readonly #write: LogOutputOptions["write"];
  readonly #onDropped: LogOutputOptions["onDropped"];
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #dropped = 0;

  constructor({ write, onDropped }: LogOutputOptions) {
    this.#write = write;
    this.#onDropped = onDropped;
  }

  write(line: string): void {
    const max = IS_ERROR.test(line) ? 2 * MAX_WAITING_BYTES : MAX_WAITING_BYTES;
    if (this.#waitingBytes >= max) {
      this.#dropped += 1;
      return;
    }
    const wasEmpty = this.#waiting.length === 0;
    const bytes = Buffer.from(line);
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    if (wasEmpty && !this.#writeWaiting()) this.#retry();
  }

  /** Waits a moment for room. Called for the last lines of a process. */
  flushSync(): void {
    const end = performance.now() + FLUSH_MS;
    while (!this.#writeWaiting() && performance.now() < end) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FLUSH_PAUSE_MS);
    }
  }

  #retry(): void {
    setTimeout(() => {
      if (!this.#writeWaiting()) return this.#retry();
      const dropped = this.#dropped;
      this.#dropped = 0;
      if (dropped > 0) this.#onDropped(dropped);
    }, RETRY_MS).unref();
  }

  /** False if there was no room for all lines. */
  #writeWaiting(): boolean {
    for (let [next] = this.#waiting; next !== undefined; [next] = this.#waiting) {
      let written: number;
      try {
        written = this.#write(next);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "EAGAIN") return false;
        // The reader of the pipe is gone, so the line is dropped.
        written = next.length;
      }
      this.#waitingBytes -= written;
      if (written < next.length) this.#waiting[0] = next.subarray(written);
      else this.#waiting.shift();
    }
    return true;
  }
}
