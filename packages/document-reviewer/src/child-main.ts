import { once } from "node:events";
import os from "node:os";
import { Worker } from "node:worker_threads";
import { compareNames } from "@travel-booking/domain/compare-names";
import { type Answered, answerRequests } from "@travel-booking/runtime/messages";
import type { ReaderAnswer, ReadRequest } from "./answers.ts";
import { drawImage, drawPdf } from "./draw.ts";
import { FaultyFile } from "./faulty-file.ts";
import { denyAddons, streamOfService } from "./lockdown.ts";
import { readImage } from "./read-image.ts";
import { readPdf } from "./read-pdf.ts";
import { CpuBudget, TesseractOcrEngine } from "./scan/ocr-engine.ts";

/** Processor time per document. Slower pictures stay unread, but the process survives. */
const CPU_BUDGET_MS = 20_000;
/** Lower priority than the services that answer requests (a `nice` value). Nobody may raise one that is lower yet. */
const PRIORITY = 5;
/** Larger than any upload. */
const MAX_REQUEST_BYTES = 67_108_864;

/** Limit in bytes for all memory of this process, because pictures are outside the JavaScript heap. */
const maxMemoryBytes = Number(process.argv[2]);
os.setPriority(Math.max(PRIORITY, os.getPriority()));
// The libraries above have already loaded their native parts.
denyAddons();
const ocr = new TesseractOcrEngine();

const watchdog = new Worker(new URL("./child-watchdog.ts", import.meta.url), { workerData: { maxMemoryBytes } });
const watching = once(watchdog, "message");
watchdog.unref();

async function read({ contentType, names }: ReadRequest, file: Buffer): Promise<Answered<ReaderAnswer>> {
  const budget = new CpuBudget(CPU_BUDGET_MS);
  const reading =
    contentType === "application/pdf"
      ? await readPdf(file, ocr, budget)
      : await readImage(file, contentType, ocr, budget);
  return { answer: { read: compareNames(reading, names) } };
}

async function draw({ contentType }: ReadRequest, file: Buffer): Promise<Answered<ReaderAnswer>> {
  const picture = contentType === "application/pdf" ? await drawPdf(file) : await drawImage(file, contentType);
  return { answer: { drawn: true }, file: picture };
}

async function answer(request: unknown, file: Uint8Array): Promise<Answered<ReaderAnswer>> {
  const { task } = request as ReadRequest;
  try {
    // Open no file before the watchdog runs.
    await watching;
    return await (task === "draw" ? draw : read)(request as ReadRequest, Buffer.from(file));
  } catch (error) {
    if (error instanceof FaultyFile) {
      const faulty = { outcome: "faulty", fault: error.fault } as const;
      return { answer: task === "draw" ? { drawn: faulty } : { read: faulty } };
    }
    // Only the kind of the error is returned, because its message may quote the document.
    return { answer: { failed: error instanceof Error ? error.name : "Error" } };
  }
}

// The process ends with the stream, even after a malformed request.
await answerRequests(streamOfService(), MAX_REQUEST_BYTES, answer).catch(() => undefined);
process.exit();
