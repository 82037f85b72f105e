import type { DocumentReading } from "@travel-booking/domain";
import { FaultyFile } from "../faulty-file.ts";
import { findZones } from "../mrz/find-zones.ts";
import type { ParsedZone } from "../mrz/parse-zone.ts";
import type { CpuBudget } from "../scan/cpu-budget.ts";
import type { OcrEngine } from "../scan/ocr-engine.ts";
import { readScan } from "../scan/read-scan.ts";
import { inspectPdf } from "./inspect-pdf.ts";
import { OpenPdf } from "./open-pdf.ts";

/** A passport's cover, its page with the zone, and what else somebody scans with it. */
const MOST_PAGES = 20;
/** So many pages are looked at; reading a picture takes long. */
const MOST_SCANNED = 3;

/** The zone in a PDF's text; where there is none, in the pictures of its first pages. @throws FaultyFile */
export async function readPdf(content: Buffer, eyes: OcrEngine, patience: CpuBudget): Promise<DocumentReading> {
  await inspectPdf(content);
  const pdf = await OpenPdf.open(content);
  try {
    if (pdf.pages > MOST_PAGES) throw new FaultyFile("too_many_pages");
    const written = fromText(findZones(await pdf.textLines()));
    if (written !== undefined) return written;
    let last: DocumentReading = { outcome: "unreadable", documentCode: null };
    for (let page = 1; page <= Math.min(pdf.pages, MOST_SCANNED) && !patience.isSpent; page += 1) {
      const seen = await readScan(await pdf.renderPage(page), eyes, patience);
      if (seen.outcome === "read") return seen;
      if (seen.outcome === "unreadable" && seen.documentCode !== null) last = seen;
    }
    return last;
  } finally {
    await pdf.close();
  }
}

/** Zones of several documents in one file are a person's to take apart. */
function fromText(zones: readonly ParsedZone[]): DocumentReading | undefined {
  const different = new Map(zones.map((parsed) => [JSON.stringify(parsed), parsed]));
  const [first, ...others] = different.values();
  if (first === undefined) return undefined;
  const { documentCode } = first.zone;
  if (others.length > 0) return { outcome: "unreadable", documentCode };
  if (!first.isConsistent) return { outcome: "wrong_check_digits", documentCode };
  return { outcome: "read", source: "text", zone: first.zone };
}
