import type { Duplex } from "node:stream";
import { z } from "zod";
import { type Answered, messagesOf, writeMessage } from "./messages.ts";
import { withTimeout } from "./real-time.ts";

/** No stream could be opened, so nothing was asked. */
export class NobodyToAsk extends Error {
  override readonly name = "NobodyToAsk";
}

/** The other side ended or broke the protocol before it answered. */
export class AskedHasEnded extends Error {
  override readonly name = "AskedHasEnded";
}

/** No answer came in time. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

export interface RequestsOptions<Answer> {
  /** Opens a stream. The work for a stream ends with it. @throws Error the stream can't be opened. */
  readonly connect: () => Promise<Duplex>;
  /** The schema of answers. Anything else is a fault of the other side, and ends the stream. */
  readonly answer: z.ZodType<Answer>;
  readonly maxAnswerBytes: number;
  /** Real time from a request to its answer. */
  readonly timeoutMs: number;
  /**
   * Real time. If an answer is late and nothing at all has come for so long, the stream is ended: the other side may be
   * gone.
   */
  readonly silenceMs: number;
  /** Real time in which the other side may end by itself when it is closed. */
  readonly endMs: number;
}

/**
 * Sends requests, values and files, on a stream to a process that works for this one (`answerRequests`), on any
 * machine. Answers come in any order. The stream is opened for the first request, and again after it has ended.
 */
export class Requests<Answer> {
  readonly #options: RequestsOptions<Answer>;
  #current: Promise<AskedStream<Answer>> | undefined;

  constructor(options: RequestsOptions<Answer>) {
    this.#options = options;
  }

  /**
   * @throws NobodyToAsk
   * @throws AskedHasEnded
   * @throws NoAnswer
   */
  async ask(request: object, file?: Uint8Array): Promise<Required<Answered<Answer>>> {
    const asked = await (this.#current ?? this.#open());
    return asked.ask(request, file);
  }

  /** Ends the stream, and fails all unanswered requests. The next request opens another stream. */
  abort(): void {
    const current = this.#current;
    this.#current = undefined;
    current?.then(
      (asked) => asked.abort(),
      () => undefined,
    );
  }

  /** As `abort`, but lets the other side end by itself, and waits for its end. */
  async close(): Promise<void> {
    const current = this.#current;
    this.#current = undefined;
    const asked = await current?.catch(() => undefined);
    await asked?.close();
  }

  #open(): Promise<AskedStream<Answer>> {
    const opening = this.#connect();
    this.#current = opening;
    const forget = () => {
      if (this.#current === opening) this.#current = undefined;
    };
    opening.then((asked) => asked.ended.then(forget), forget);
    return opening;
  }

  async #connect(): Promise<AskedStream<Answer>> {
    try {
      return new AskedStream(await this.#options.connect(), this.#options);
    } catch (cause) {
      throw new NobodyToAsk("there is nobody to ask", { cause });
    }
  }
}

const NUMBERED = z.object({ id: z.number() });

class AskedStream<Answer> {
  readonly #stream: Duplex;
  readonly #options: RequestsOptions<Answer>;
  /** Includes late requests, because their answers may still come. */
  readonly #unanswered = new Map<number, PromiseWithResolvers<Required<Answered<Answer>>>>();
  #lastId = 0;
  /** Since when nothing has come although a request is unanswered. */
  #silentSince: number | undefined;
  /** Resolves when the stream has ended. */
  readonly ended: Promise<void>;

  constructor(stream: Duplex, options: RequestsOptions<Answer>) {
    this.#stream = stream;
    this.#options = options;
    stream.on("error", () => undefined);
    this.ended = this.#readAnswers();
  }

  async ask(request: object, file: Uint8Array | undefined): Promise<Required<Answered<Answer>>> {
    const { timeoutMs, silenceMs } = this.#options;
    if (!this.#stream.writable) throw new AskedHasEnded("it has ended before it was asked");
    this.#lastId += 1;
    const id = this.#lastId;
    const answer = Promise.withResolvers<Required<Answered<Answer>>>();
    this.#unanswered.set(id, answer);
    this.#silentSince ??= performance.now();
    writeMessage(this.#stream, { id, ...request }, file);
    return withTimeout(answer.promise, timeoutMs, () => {
      if (performance.now() - (this.#silentSince ?? Number.NaN) >= silenceMs) this.abort();
      return new NoAnswer(`no answer within ${timeoutMs} ms`);
    });
  }

  async #readAnswers(): Promise<void> {
    let cause: unknown;
    try {
      for await (const { value, file } of messagesOf(this.#stream, this.#options.maxAnswerBytes)) {
        const { id } = NUMBERED.parse(value);
        const unanswered = this.#unanswered.get(id);
        if (unanswered === undefined) throw new Error("an answer to nothing that was asked");
        this.#unanswered.delete(id);
        this.#silentSince = this.#unanswered.size > 0 ? performance.now() : undefined;
        try {
          unanswered.resolve({ answer: this.#options.answer.parse(value), file });
        } catch (error) {
          unanswered.reject(new AskedHasEnded("it answered what is no answer", { cause: error }));
          throw error;
        }
      }
    } catch (error) {
      cause = error;
    }
    this.#stream.destroy();
    for (const { reject } of this.#unanswered.values())
      reject(new AskedHasEnded("it ended before it answered", { cause }));
  }

  abort(): void {
    this.#stream.destroy();
  }

  async close(): Promise<void> {
    const closed = Promise.withResolvers<void>();
    this.#stream.once("close", closed.resolve);
    this.#stream.end();
    if (this.#stream.closed) closed.resolve();
    await withTimeout(closed.promise, this.#options.endMs, () => new Error("late")).catch(() => this.abort());
  }
}
