import type { DocumentContentType, DocumentReading } from "@travel-booking/domain";
import { FaultyFile } from "./faulty-file.ts";
import { readImage } from "./image/read-image.ts";
import { readPdf } from "./pdf/read-pdf.ts";
import type { Eyes } from "./scan/eyes.ts";

/**
 * Reads a document's file. To be run in a process of its own: a file may be made to use up all time and memory.
 * @throws Error nothing can be said about the file.
 */
export async function readDocument(
  content: Buffer,
  contentType: DocumentContentType,
  eyes: Eyes,
): Promise<DocumentReading> {
  try {
    return await (contentType === "application/pdf" ? readPdf(content, eyes) : readImage(content, contentType, eyes));
  } catch (error) {
    if (error instanceof FaultyFile) return { outcome: "faulty", fault: error.fault };
    throw error;
  }
}
