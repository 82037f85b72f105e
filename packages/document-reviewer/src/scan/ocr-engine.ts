import { createRequire } from "node:module";
import path from "node:path";
import { createWorker, type Worker } from "tesseract.js";
import type { CpuBudget } from "./cpu-budget.ts";

/** Reads the lines of a picture. */
export interface OcrEngine {
  /** @returns no lines where patience ends before. */
  recognizeLines(picture: Buffer, patience: CpuBudget): Promise<readonly string[]>;
}

const require = createRequire(import.meta.url);
const LANGUAGE = path.join(path.dirname(require.resolve("@tesseract.js-data/eng/package.json")), "4.0.0_best_int");
const CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789<";
const LSTM_ONLY = 1;
/** Real time. */
const RECHECK_INTERVAL_MS = 50;
/** A single block of text. */
const ONE_BLOCK = "6";

/** Reads with Tesseract; its data is on the disk already. It begins with the first picture, and is kept for the next. */
export class TesseractOcrEngine implements OcrEngine {
  #worker: Promise<Worker> | undefined;

  async recognizeLines(picture: Buffer, patience: CpuBudget): Promise<readonly string[]> {
    if (patience.isSpent) return [];
    this.#worker ??= createTesseractWorker();
    const worker = await this.#worker;
    const text = await withinBudget(
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
async function withinBudget(text: Promise<string>, patience: CpuBudget): Promise<string | undefined> {
  while (!patience.isSpent) {
    const { promise: late, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => resolve(undefined), Math.max(patience.remainingMs, RECHECK_INTERVAL_MS));
    try {
      const read = await Promise.race([text, late]);
      if (read !== undefined) return read;
    } finally {
      clearTimeout(timer);
    }
  }
  return undefined;
}

async function createTesseractWorker(): Promise<Worker> {
  const worker = await createWorker("eng", LSTM_ONLY, { langPath: LANGUAGE, cacheMethod: "none", gzip: true });
  await worker.setParameters({
    tessedit_char_whitelist: CHARACTERS,
    tessedit_pageseg_mode: ONE_BLOCK as never,
    user_defined_dpi: "300",
  });
  return worker;
}
