import { type ChildProcess, fork } from "node:child_process";
import type { DocumentContentType, DocumentReading } from "@travel-booking/domain";
import type { ReadRequest, ReadResponse } from "../child/messages.ts";

const ENTRY = new URL("../child/main.ts", import.meta.url);
/** Megabytes of the heap of JavaScript; all of its memory is bounded by the process itself. */
const MAX_HEAP_MB = 512;

/** The reviewing process ended, or was ended, before it answered. */
export class ReadingFailed extends Error {
  override readonly name: string = "ReadingFailed";
}

/** It would again. */
export class ReadingTimeout extends ReadingFailed {
  override readonly name = "ReadingTookTooLong";
}

interface PendingRead {
  readonly id: number;
  readonly resolve: (reading: DocumentReading) => void;
  readonly reject: (error: Error) => void;
}

/** A process that reads one document at a time. It knows nothing of the service: no settings, no files, no log. */
export class ReviewerChildProcess {
  readonly #child: ChildProcess;
  #pending: PendingRead | undefined;
  #hasEnded = false;
  #asked = 0;

  /** @param mostMemory bytes it may have, all of its memory. */
  constructor(mostMemory: number) {
    this.#child = fork(ENTRY, [String(mostMemory)], {
      execArgv: [`--max-old-space-size=${MAX_HEAP_MB}`],
      env: {},
      serialization: "advanced",
      // What libraries print may quote the document.
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    this.#child.on("message", (answer: ReadResponse) => this.#onResponse(answer));
    this.#child.on("error", (error) => this.#onExit(error));
    this.#child.on("exit", (code, signal) => this.#onExit(new ReadingFailed(`it ended with ${signal ?? code}`)));
    // An idle one keeps nobody from ending.
    this.#child.unref();
    this.#child.channel?.unref();
  }

  get hasExited(): boolean {
    return this.#hasEnded;
  }

  /** How many documents it was asked to read. */
  get readCount(): number {
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
    this.#pending = { id, resolve, reject };
    const late = setTimeout(() => this.kill(new ReadingTimeout(`it took longer than ${timeoutMs} ms`)), timeoutMs);
    this.#child.channel?.ref();
    try {
      if (this.#hasEnded) throw new ReadingFailed("it has ended");
      const request: ReadRequest = { id, content, contentType };
      this.#child.send(request, (error) => error && this.#onExit(error));
      return await promise;
    } finally {
      clearTimeout(late);
      this.#pending = undefined;
      this.#child.channel?.unref();
    }
  }

  /** Ends it, whatever it does. */
  kill(reason: Error = new ReadingFailed("it was stopped")): void {
    this.#onExit(reason);
    this.#child.kill("SIGKILL");
  }

  #onResponse(answer: ReadResponse): void {
    const waiting = this.#pending;
    if (waiting?.id !== answer.id) return;
    if ("reading" in answer) waiting.resolve(answer.reading);
    else waiting.reject(new ReadingFailed(`it failed: ${answer.failed}`));
  }

  #onExit(reason: Error): void {
    this.#hasEnded = true;
    this.#pending?.reject(reason);
  }
}
