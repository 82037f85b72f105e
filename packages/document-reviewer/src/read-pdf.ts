import type { DocumentReading } from "@travel-booking/domain";
import sharp from "sharp";
import { findZones, type ParsedZone } from "./mrz/parse-zone.ts";
import { OpenPdf } from "./open-pdf.ts";
import type { CpuBudget, OcrEngine } from "./scan/ocr-engine.ts";
import { MAX_SIDE_PIXELS, readScan } from "./scan/read-scan.ts";

/** Pages read as pictures, which is slow. */
const MOST_SCANNED = 3;

/** Reads the zone from a PDF's text or, if it has none, from pictures of the first pages. @throws FaultyFile */
export async function readPdf(content: Buffer, ocr: OcrEngine, budget: CpuBudget): Promise<DocumentReading> {
  const pdf = await OpenPdf.open(content);
  try {
    const written = fromText(findZones(await pdf.textLines()));
    if (written !== undefined) return written;
    let last: DocumentReading = { outcome: "unreadable", documentCode: null };
    for (let page = 1; page <= Math.min(pdf.pages, MOST_SCANNED) && !budget.isSpent; page += 1) {
      const reading = await readScan(await greyPage(pdf, page), ocr, budget);
      if (reading.outcome === "read") return reading;
      if (reading.outcome === "unreadable" && reading.documentCode !== null) last = reading;
    }
    return last;
  } finally {
    await pdf.close();
  }
}

async function greyPage(pdf: OpenPdf, page: number): Promise<Buffer> {
  return sharp(await pdf.renderPage(page, MAX_SIDE_PIXELS))
    .greyscale()
    .png()
    .toBuffer();
}

/** An operator has to separate zones of several documents in one file. */
function fromText(zones: readonly ParsedZone[]): DocumentReading | undefined {
  const different = new Map(zones.map((parsed) => [JSON.stringify(parsed), parsed]));
  const [first, ...others] = different.values();
  if (first === undefined) return undefined;
  const { documentCode } = first.zone;
  if (others.length > 0) return { outcome: "unreadable", documentCode };
  if (!first.isConsistent) return { outcome: "wrong_check_digits", documentCode };
  return { outcome: "read", source: "text", zone: first.zone };
}
