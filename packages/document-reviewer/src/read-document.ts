import type { DocumentContentType, DocumentReading } from "@travel-booking/domain";
import { FaultyFile } from "./faulty-file.ts";
import { readImage } from "./image/read-image.ts";
import { readPdf } from "./pdf/read-pdf.ts";
import { CpuBudget } from "./scan/cpu-budget.ts";
import type { OcrEngine } from "./scan/ocr-engine.ts";

/** Processor time: pictures that take longer to read are left unread, which is better than ending the process. */
const CPU_BUDGET_MS = 20_000;

/**
 * Reads a document's file. To be run in a process of its own: a file may be made to use up all time and memory.
 * @throws Error nothing can be said about the file.
 */
export async function readDocument(
  content: Buffer,
  contentType: DocumentContentType,
  eyes: OcrEngine,
): Promise<DocumentReading> {
  const patience = new CpuBudget(CPU_BUDGET_MS);
  try {
    if (contentType === "application/pdf") return await readPdf(content, eyes, patience);
    return await readImage(content, contentType, eyes, patience);
  } catch (error) {
    if (error instanceof FaultyFile) return { outcome: "faulty", fault: error.fault };
    throw error;
  }
}
