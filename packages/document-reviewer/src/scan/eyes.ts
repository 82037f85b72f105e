import { createRequire } from "node:module";
import path from "node:path";
import { createWorker, type Worker } from "tesseract.js";
import type { Patience } from "./patience.ts";

/** Reads the lines of a picture. */
export interface Eyes {
  /** @returns no lines where patience ends before. */
  linesOf(picture: Buffer, patience: Patience): Promise<readonly string[]>;
}

const require = createRequire(import.meta.url);
const LANGUAGE = path.join(path.dirname(require.resolve("@tesseract.js-data/eng/package.json")), "4.0.0_best_int");
const CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789<";
const LSTM_ONLY = 1;
/** Real time. */
const LOOK_AGAIN_MS = 50;
/** A single block of text. */
const ONE_BLOCK = "6";

/** Reads with Tesseract; its data is on the disk already. It begins with the first picture, and is kept for the next. */
export class TesseractEyes implements Eyes {
  #worker: Promise<Worker> | undefined;

  async linesOf(picture: Buffer, patience: Patience): Promise<readonly string[]> {
    if (patience.isAtEnd) return [];
    this.#worker ??= begin();
    const worker = await this.#worker;
    const text = await inTime(
      worker.recognize(picture).then(({ data }) => data.text),
      patience,
    );
    if (text !== undefined) return text.split("\n");
    // It can't be interrupted, and what it was asked next would have to wait.
    await this.close();
    return [];
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await (await worker)?.terminate();
  }
}

/** Looks again when the patience may be at an end: on a busy machine more of it is left than real time has passed. */
async function inTime(text: Promise<string>, patience: Patience): Promise<string | undefined> {
  while (!patience.isAtEnd) {
    const { promise: late, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => resolve(undefined), Math.max(patience.left, LOOK_AGAIN_MS));
    try {
      const read = await Promise.race([text, late]);
      if (read !== undefined) return read;
    } finally {
      clearTimeout(timer);
    }
  }
  return undefined;
}

async function begin(): Promise<Worker> {
  const worker = await createWorker("eng", LSTM_ONLY, { langPath: LANGUAGE, cacheMethod: "none", gzip: true });
  await worker.setParameters({
    tessedit_char_whitelist: CHARACTERS,
    tessedit_pageseg_mode: ONE_BLOCK as never,
    user_defined_dpi: "300",
  });
  return worker;
}
