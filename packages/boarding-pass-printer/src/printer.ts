import type { Duplex } from "node:stream";
import type { BoardingPassesBody, BoardingPassFormat } from "@travel-booking/api-contract";
import { withTimeout } from "@travel-booking/runtime/real-time";
import { PrintingFailed, type ToldFailure, toldFailure } from "./failures.ts";
import { messagesOf, writeMessage } from "./messages.ts";

/** All that a drawing needs: plain data, without a secret. */
export interface Drawing {
  readonly format: Exclude<BoardingPassFormat, "json">;
  readonly passes: BoardingPassesBody;
}

/** To the printer. */
export interface DrawRequest {
  /** The answer names it. */
  readonly id: number;
  /** Whose turn it takes. */
  readonly account: string;
  readonly drawing: Drawing;
}

/** From the printer, with the file where there is no failure. */
export interface DrawAnswer {
  readonly id: number;
  readonly failure?: ToldFailure;
}

/** Real time: longer than a browser takes to start, shorter than a proxy waits for an answer. */
const ANSWER_TIMEOUT_MS = 40_000;
/** Real time: longer than a browser takes to end. */
const CLOSE_TIMEOUT_MS = 5_000;
const MAX_ANSWER_BYTES = 67_108_864;

/**
 * Boarding passes as files, drawn elsewhere: this thread writes what is to be drawn to a stream, and reads a file from it. The
 * stream is opened for the first of them, and again when it has ended.
 */
export class BoardingPassPrinter {
  readonly #connect: () => Duplex;
  #stream: Duplex | undefined;
  #lastId = 0;
  readonly #waiting = new Map<number, PromiseWithResolvers<Uint8Array>>();

  /** @param connect opens the stream. @throws PrintingFailed it can't be opened. */
  constructor(connect: () => Duplex) {
    this.#connect = connect;
  }

  /**
   * @throws NoBrowser of a PDF.
   * @throws PrinterBusy
   * @throws PrintingFailed
   */
  async draw(account: string, drawing: Drawing): Promise<Uint8Array> {
    this.#lastId += 1;
    const request: DrawRequest = { id: this.#lastId, account, drawing };
    writeMessage(this.#open(), request);
    const answer = Promise.withResolvers<Uint8Array>();
    this.#waiting.set(request.id, answer);
    try {
      const late = () => new PrintingFailed(`no answer of the printer within ${ANSWER_TIMEOUT_MS} ms`);
      return await withTimeout(answer.promise, ANSWER_TIMEOUT_MS, late);
    } finally {
      this.#waiting.delete(request.id);
    }
  }

  #open(): Duplex {
    if (this.#stream === undefined) {
      this.#stream = this.#connect();
      void this.#readAnswers(this.#stream);
    }
    return this.#stream;
  }

  async #readAnswers(stream: Duplex): Promise<void> {
    let cause: unknown;
    try {
      for await (const { value, file } of messagesOf(stream, MAX_ANSWER_BYTES)) {
        const { id, failure } = value as DrawAnswer;
        if (failure === undefined) this.#waiting.get(id)?.resolve(file);
        else this.#waiting.get(id)?.reject(toldFailure(failure));
      }
    } catch (error) {
      cause = error;
    }
    this.#stream = undefined;
    stream.destroy();
    for (const { reject } of this.#waiting.values()) reject(new PrintingFailed("the printer has ended", { cause }));
  }

  /** Ends the stream, and with it the printer that it is of. */
  async close(): Promise<void> {
    const stream = this.#stream;
    if (stream === undefined) return;
    const closed = Promise.withResolvers<void>();
    stream.once("close", closed.resolve);
    stream.end();
    await withTimeout(closed.promise, CLOSE_TIMEOUT_MS, () => new Error("late")).catch(() => stream.destroy());
  }
}
