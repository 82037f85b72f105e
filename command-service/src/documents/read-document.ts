import { ReadingTimeout, ReviewerStopped } from "@travel-booking/document-reviewer";
import type { DocumentReading, TravelDocument } from "@travel-booking/domain";
import type { CommandServices } from "../services.ts";

/** A file that makes the reviewer fail so often is left to an operator; one that takes too long, at once. */
export const MAX_ATTEMPTS = 3;

/**
 * Reads a document's file; undefined: it can't be read and is left to an operator.
 * @throws Error it is to be tried again.
 */
export async function readDocument(
  { documents, logger }: CommandServices,
  { documentId, uploadId, contentType }: TravelDocument,
  attempt: number,
): Promise<DocumentReading | undefined> {
  const blob = await documents.uploads.read(uploadId);
  if (blob === undefined) {
    logger.error({ documentId }, "a document's file is missing");
    return undefined;
  }
  const content = Buffer.concat(await blob.stream.toArray());
  try {
    return await documents.reviewer.read(content, contentType);
  } catch (error) {
    const retry = attempt < MAX_ATTEMPTS && !(error instanceof ReadingTimeout);
    if (retry || error instanceof ReviewerStopped) throw error;
    logger.warn({ err: error, documentId, attempt }, "a document can't be reviewed; it is left to an operator");
    return undefined;
  }
}
