import { once } from "node:events";
import os from "node:os";
import { Worker } from "node:worker_threads";
import type { ComparedReading } from "@travel-booking/domain";
import { compareNames } from "@travel-booking/domain/compare-names";
import type { DrawnDocument, ReadRequest, ReadResponse, Tasks } from "./child-process.ts";
import { drawImage, drawPdf } from "./draw.ts";
import { FaultyFile } from "./faulty-file.ts";
import { denyAddons } from "./lockdown.ts";
import { readImage } from "./read-image.ts";
import { readPdf } from "./read-pdf.ts";
import { CpuBudget, TesseractOcrEngine } from "./scan/ocr-engine.ts";

/** Processor time per document. Slower pictures stay unread; the process survives. */
const CPU_BUDGET_MS = 20_000;
/** Lower priority than the services that answer requests (a `nice` value). */
const PRIORITY = 5;

/** Bytes of all memory of this process: pictures are outside the JavaScript heap. */
const maxMemoryBytes = Number(process.argv[2]);
os.setPriority(PRIORITY);
// The libraries above have loaded theirs.
denyAddons();
const ocr = new TesseractOcrEngine();

const watchdog = new Worker(new URL("./child-watchdog.ts", import.meta.url), { workerData: { maxMemoryBytes } });
const watching = once(watchdog, "message");
watchdog.unref();

async function read({ content, contentType, names }: ReadRequest): Promise<ComparedReading> {
  const budget = new CpuBudget(CPU_BUDGET_MS);
  const file = Buffer.from(content);
  const reading =
    contentType === "application/pdf"
      ? await readPdf(file, ocr, budget)
      : await readImage(file, contentType, ocr, budget);
  return compareNames(reading, names);
}

async function draw({ content, contentType }: ReadRequest): Promise<DrawnDocument> {
  const file = Buffer.from(content);
  const picture = contentType === "application/pdf" ? await drawPdf(file) : await drawImage(file, contentType);
  return { outcome: "drawn", picture };
}

const TASKS: { readonly [Task in keyof Tasks]: (request: ReadRequest) => Promise<Tasks[Task]> } = { read, draw };

async function respond(request: ReadRequest): Promise<ReadResponse> {
  const { id, task } = request;
  try {
    // Open no file before the watchdog runs.
    await watching;
    return { id, result: await TASKS[task](request) };
  } catch (error) {
    if (error instanceof FaultyFile) return { id, result: { outcome: "faulty", fault: error.fault } };
    // Return only the kind of failure: a message may quote the document.
    return { id, failed: error instanceof Error ? error.name : "Error" };
  }
}

process.on("message", (request: ReadRequest) => {
  void respond(request).then((response) => process.send?.(response));
});
process.on("disconnect", () => process.exit());
