import type { ChildProcess } from "node:child_process";
import type { ComparedReading, DocumentContentType, FileFault } from "@travel-booking/domain";
import type { Isolation } from "./isolation.ts";
import { forkRestricted } from "./restricted-process.ts";

/** A document drawn anew, as JPEG: nothing else of the file is left. Pages stand below each other. */
export type DrawnDocument =
  | { readonly outcome: "drawn"; readonly picture: Uint8Array }
  | { readonly outcome: "faulty"; readonly fault: FileFault };

/** What the process does with a document. */
export interface Tasks {
  readonly read: ComparedReading;
  readonly draw: DrawnDocument;
}

export interface ReadRequest {
  readonly id: number;
  readonly task: keyof Tasks;
  readonly content: Uint8Array;
  readonly contentType: DocumentContentType;
  /** Of passengers, to compare with what is read. */
  readonly names: readonly string[];
}

/** `failed`: the kind of error. */
export type ReadResponse =
  | { readonly id: number; readonly result: Tasks[keyof Tasks] }
  | { readonly id: number; readonly failed: string };

const ENTRY = new URL("./child-main.ts", import.meta.url);

/** The reviewing process exited, or was killed, before it answered. */
export class ReadingFailed extends Error {
  override readonly name: string = "ReadingFailed";
}

/** A second attempt would take as long. */
export class ReadingTimeout extends ReadingFailed {
  override readonly name = "ReadingTimeout";
}

interface PendingRead {
  readonly id: number;
  readonly resolve: (result: never) => void;
  readonly reject: (error: Error) => void;
}

/** A child process that reads one document at a time. It gets no settings, files, network or log of the service. */
export class ReviewerChildProcess {
  readonly #child: ChildProcess;
  #pending: PendingRead | undefined;
  #hasExited = false;
  #readCount = 0;

  /** @param maxMemoryBytes limit for the whole process; the watchdog kills it beyond that. */
  constructor(maxMemoryBytes: number, isolation: Isolation, entry = ENTRY) {
    this.#child = forkRestricted(entry, [String(maxMemoryBytes)], isolation);
    // A script that found its way into the process may send anything.
    this.#child.on("message", (response: ReadResponse | null) => response !== null && this.#onResponse(response));
    this.#child.on("error", (error) => this.#onExit(error));
    this.#child.on("exit", (code, signal) => this.#onExit(new ReadingFailed(`it ended with ${signal ?? code}`)));
    // An idle process does not keep the service from exiting.
    this.#child.unref();
    this.#child.channel?.unref();
  }

  get hasExited(): boolean {
    return this.#hasExited;
  }

  /** Documents sent to the process, the pending one included. */
  get readCount(): number {
    return this.#readCount;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** @throws ReadingFailed the process exited, or took too long and was killed. */
  async run<Task extends keyof Tasks>(
    document: Omit<ReadRequest, "id"> & { readonly task: Task },
    timeoutMs: number,
  ): Promise<Tasks[Task]> {
    this.#readCount += 1;
    const { promise, resolve, reject } = Promise.withResolvers<Tasks[Task]>();
    const id = this.#readCount;
    this.#pending = { id, resolve, reject };
    const timeout = setTimeout(() => this.kill(new ReadingTimeout(`it took longer than ${timeoutMs} ms`)), timeoutMs);
    this.#child.channel?.ref();
    try {
      if (this.#hasExited) throw new ReadingFailed("it has ended");
      const request: ReadRequest = { id, ...document };
      this.#child.send(request, (error) => error && this.#onExit(error));
      return await promise;
    } finally {
      clearTimeout(timeout);
      this.#pending = undefined;
      this.#child.channel?.unref();
    }
  }

  kill(reason: Error = new ReadingFailed("it was stopped")): void {
    this.#onExit(reason);
    this.#child.kill("SIGKILL");
  }

  #onResponse(response: ReadResponse): void {
    const pending = this.#pending;
    if (pending?.id !== response.id) return;
    if ("result" in response) pending.resolve(response.result as never);
    else pending.reject(new ReadingFailed(`it failed: ${response.failed}`));
  }

  #onExit(reason: Error): void {
    this.#hasExited = true;
    this.#pending?.reject(reason);
  }
}
