import { createRequire } from "node:module";
import path from "node:path";
import { createWorker, type Worker } from "tesseract.js";

/**
 * Limits the processor time of a task, so that every task ends. A limit in real time would fail tasks on a busy machine
 * that succeed on an idle one.
 */
export class CpuBudget {
  readonly #until: number;

  /** @param milliseconds processor time of all threads of the process, from now. */
  constructor(milliseconds: number) {
    this.#until = cpuTimeMs() + milliseconds;
  }

  /** Milliseconds; 0 once the budget is spent. */
  get remainingMs(): number {
    return Math.max(0, this.#until - cpuTimeMs());
  }

  get isSpent(): boolean {
    return this.remainingMs === 0;
  }
}

function cpuTimeMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Reads the lines of a picture. */
export interface OcrEngine {
  /** @returns no lines once the budget is spent. */
  recognizeLines(picture: Buffer, budget: CpuBudget): Promise<readonly string[]>;
}

const require = createRequire(import.meta.url);
const LANGUAGE = path.join(path.dirname(require.resolve("@tesseract.js-data/eng/package.json")), "4.0.0_best_int");
const CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789<";
const LSTM_ONLY = 1;
/** Real time. */
const RECHECK_INTERVAL_MS = 50;
/** A single block of text. */
const ONE_BLOCK = "6";

/** Tesseract with language data from the disk. The worker starts with the first picture; later pictures reuse it. */
export class TesseractOcrEngine implements OcrEngine {
  #worker: Promise<Worker> | undefined;

  async recognizeLines(picture: Buffer, budget: CpuBudget): Promise<readonly string[]> {
    if (budget.isSpent) return [];
    this.#worker ??= createTesseractWorker();
    const worker = await this.#worker;
    const text = await withinBudget(
      worker.recognize(picture).then(({ data }) => data.text),
      budget,
    );
    if (text !== undefined) return text.split("\n");
    // A recognition can't be interrupted. So the worker is ended, or the next picture would wait for this one.
    await this.close();
    return [];
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await (await worker)?.terminate();
  }
}

/** Checks again when the budget may be spent. On a busy machine processor time is slower than real time. */
async function withinBudget(text: Promise<string>, budget: CpuBudget): Promise<string | undefined> {
  while (!budget.isSpent) {
    const { promise: timeout, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => resolve(undefined), Math.max(budget.remainingMs, RECHECK_INTERVAL_MS));
    try {
      const read = await Promise.race([text, timeout]);
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
