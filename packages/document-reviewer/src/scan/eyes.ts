import { createRequire } from "node:module";
import path from "node:path";
import { createWorker, type Worker } from "tesseract.js";

/** Reads the lines of a picture. */
export interface Eyes {
  linesOf(picture: Buffer): Promise<readonly string[]>;
}

const require = createRequire(import.meta.url);
const LANGUAGE = path.join(path.dirname(require.resolve("@tesseract.js-data/eng/package.json")), "4.0.0_best_int");
const CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789<";
const LSTM_ONLY = 1;
/** A single block of text. */
const ONE_BLOCK = "6";

/** Reads with Tesseract; its data is on the disk already. It begins with the first picture, and is kept for the next. */
export class TesseractEyes implements Eyes {
  #worker: Promise<Worker> | undefined;

  async linesOf(picture: Buffer): Promise<readonly string[]> {
    this.#worker ??= begin();
    const { data } = await (await this.#worker).recognize(picture);
    return data.text.split("\n");
  }

  async close(): Promise<void> {
    await (await this.#worker)?.terminate();
  }
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
