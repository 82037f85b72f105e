import { type ChildProcess, fork } from "node:child_process";
import type { DocumentContentType, DocumentReading } from "@travel-booking/domain";
import type { ReadAnswer, ReadRequest } from "../child/messages.ts";

const ENTRY = new URL("../child/main.ts", import.meta.url);
/** Megabytes of the heap of JavaScript; all of its memory is bounded by the process itself. */
const MOST_HEAP = 512;

/** The reviewing process ended, or was ended, before it answered. */
export class ReadingFailed extends Error {
  override readonly name: string = "ReadingFailed";
}

/** It would again. */
export class ReadingTookTooLong extends ReadingFailed {
  override readonly name = "ReadingTookTooLong";
}

interface Waiting {
  readonly id: number;
  readonly resolve: (reading: DocumentReading) => void;
  readonly reject: (error: Error) => void;
}

/** A process that reads one document at a time. It knows nothing of the service: no settings, no files, no log. */
export class ReviewingProcess {
  readonly #child: ChildProcess;
  #waiting: Waiting | undefined;
  #hasEnded = false;
  #asked = 0;

  /** @param mostMemory bytes it may have, all of its memory. */
  constructor(mostMemory: number) {
    this.#child = fork(ENTRY, [String(mostMemory)], {
      execArgv: [`--max-old-space-size=${MOST_HEAP}`],
      env: {},
      serialization: "advanced",
      // What libraries print may quote the document.
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    this.#child.on("message", (answer: ReadAnswer) => this.#answered(answer));
    this.#child.on("error", (error) => this.#ended(error));
    this.#child.on("exit", (code, signal) => this.#ended(new ReadingFailed(`it ended with ${signal ?? code}`)));
    // An idle one keeps nobody from ending.
    this.#child.unref();
    this.#child.channel?.unref();
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** How many documents it was asked to read. */
  get asked(): number {
    return this.#asked;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** @throws ReadingFailed it took too long, and was ended, or it ended by itself. */
  async read(content: Uint8Array, contentType: DocumentContentType, timeoutMs: number): Promise<DocumentReading> {
    this.#asked += 1;
    const { promise, resolve, reject } = Promise.withResolvers<DocumentReading>();
    const id = this.#asked;
    this.#waiting = { id, resolve, reject };
    const late = setTimeout(() => this.end(new ReadingTookTooLong(`it took longer than ${timeoutMs} ms`)), timeoutMs);
    this.#child.channel?.ref();
    try {
      if (this.#hasEnded) throw new ReadingFailed("it has ended");
      const request: ReadRequest = { id, content, contentType };
      this.#child.send(request, (error) => error && this.#ended(error));
      return await promise;
    } finally {
      clearTimeout(late);
      this.#waiting = undefined;
      this.#child.channel?.unref();
    }
  }

  /** Ends it, whatever it does. */
  end(reason: Error = new ReadingFailed("it was stopped")): void {
    this.#ended(reason);
    this.#child.kill("SIGKILL");
  }

  #answered(answer: ReadAnswer): void {
    const waiting = this.#waiting;
    if (waiting?.id !== answer.id) return;
    if ("reading" in answer) waiting.resolve(answer.reading);
    else waiting.reject(new ReadingFailed(`it failed: ${answer.failed}`));
  }

  #ended(reason: Error): void {
    this.#hasEnded = true;
    this.#waiting?.reject(reason);
  }
}
