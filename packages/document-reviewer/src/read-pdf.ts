import type { DocumentReading } from "@travel-booking/domain";
import { OpenPdf } from "./open-pdf.ts";
import { readSeenText } from "./read-seen-text.ts";
import type { CpuBudget, OcrEngine } from "./scan/ocr-engine.ts";
import { MAX_SIDE_PIXELS, readScan } from "./scan/read-scan.ts";

/** Limit of pages read as pictures, because that is slow. */
const MOST_SCANNED = 3;

/** Reads the zone from a PDF's text, or else from pictures of the first pages. @throws FaultyFile */
export async function readPdf(content: Buffer, ocr: OcrEngine, budget: CpuBudget): Promise<DocumentReading> {
  const pdf = await OpenPdf.open(content);
  try {
    const written = await readSeenText(pdf, ocr, budget);
    if (written !== undefined) return written;
    let last: DocumentReading = { outcome: "unreadable", documentCode: null };
    for (let page = 1; page <= Math.min(pdf.pages, MOST_SCANNED) && !budget.isSpent; page += 1) {
      const reading = await readScan(await pdf.renderGrey(page, MAX_SIDE_PIXELS), ocr, budget);
      if (reading.outcome === "read") return reading;
      if (reading.outcome === "unreadable" && reading.documentCode !== null) last = reading;
    }
    return last;
  } finally {
    await pdf.close();
  }
}
