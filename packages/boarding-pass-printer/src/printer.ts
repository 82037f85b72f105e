import type { Duplex } from "node:stream";
import type { BoardingPassesBody, BoardingPassFormat } from "@travel-booking/api-contract";
import { Requests } from "@travel-booking/runtime/requests";
import { z } from "zod";
import { PrintingFailed, toldFailure, toldFailureSchema } from "./failures.ts";

/** Everything that a drawing needs: plain data, without a secret. */
export interface Drawing {
  readonly format: Exclude<BoardingPassFormat, "json">;
  readonly passes: BoardingPassesBody;
}

/** A request to the printer. */
export interface DrawRequest {
  /** The account whose turn it takes. */
  readonly account: string;
  readonly drawing: Drawing;
}

/** The printer's answer. It comes with the file, unless it has a failure. */
const answerSchema = z.object({ failure: toldFailureSchema.optional() });
export type DrawAnswer = z.infer<typeof answerSchema>;

/** Real time: longer than a browser takes to start, shorter than a proxy waits for an answer. */
const ANSWER_TIMEOUT_MS = 40_000;
/** Real time: longer than a browser takes to be unpacked. */
const SILENCE_MS = 200_000;
/** Real time: longer than a browser takes to end. */
const CLOSE_TIMEOUT_MS = 5_000;
const MAX_ANSWER_BYTES = 67_108_864;

/** Boarding passes as files from another process: drawings are written to a stream, and files are read from it. */
export class BoardingPassPrinter {
  readonly #requests: Requests<DrawAnswer>;

  /** @param connect opens a stream to a printer (`startPrinter`, `connectTo`). */
  constructor(connect: () => Promise<Duplex>) {
    this.#requests = new Requests({
      connect,
      answer: answerSchema,
      maxAnswerBytes: MAX_ANSWER_BYTES,
      timeoutMs: ANSWER_TIMEOUT_MS,
      silenceMs: SILENCE_MS,
      endMs: CLOSE_TIMEOUT_MS,
    });
  }

  /**
   * @throws NoBrowser for a PDF.
   * @throws PrinterBusy
   * @throws PrintingFailed
   */
  async draw(account: string, drawing: Drawing): Promise<Uint8Array> {
    const request: DrawRequest = { account, drawing };
    const { answer, file } = await this.#requests.ask(request).catch((cause: Error) => {
      throw new PrintingFailed(`the printer: ${cause.message}`, { cause });
    });
    if (answer.failure !== undefined) throw toldFailure(answer.failure);
    return file;
  }

  /** Ends the stream. A printer that this process started ends with it. */
  close(): Promise<void> {
    return this.#requests.close();
  }
}
