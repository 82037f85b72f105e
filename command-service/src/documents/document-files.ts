import { ReaderAway, ReadingTimeout, ReviewerStopped } from "@travel-booking/document-reviewer";
import { type ComparedReading, hasUpload, type TravelDocument } from "@travel-booking/domain";
import { ErasedContent } from "@travel-booking/read-models/sealed-words";
import type { Shutdown } from "@travel-booking/runtime";
import { systemContext } from "../command-handling/command.ts";
import type { CommandServices } from "../services.ts";
import { bookingStream } from "../streams.ts";
import type { PendingUpload } from "./uploads.ts";

/** After so many failures a document is left to an operator; after a time-out, at once. */
export const MAX_ATTEMPTS = 3;

/**
 * Reads a document's file and compares it with the passengers' names. Undefined: it is left to an operator.
 * @throws Error reading must be repeated.
 */
export async function readDocument(
  { documents, logger }: CommandServices,
  { documentId, uploadId, contentType }: TravelDocument,
  names: readonly string[],
  attempt: number,
): Promise<ComparedReading | undefined> {
  if (attempt > MAX_ATTEMPTS) {
    logger.warn({ documentId }, "a document was read in vain too often; it is left to an operator");
    return undefined;
  }
  const content = await contentOf(documents, uploadId);
  if (content === undefined) {
    logger.error({ documentId }, "a document's file is missing");
    return undefined;
  }
  try {
    return await documents.reviewer.read(content, contentType, names);
  } catch (error) {
    const retry = attempt < MAX_ATTEMPTS && !(error instanceof ReadingTimeout);
    const wasUnread = error instanceof ReviewerStopped || error instanceof ReaderAway;
    if (retry || wasUnread) throw error;
    logger.warn({ err: error, documentId, attempt }, "a document can't be reviewed; it is left to an operator");
    return undefined;
  }
}

/** Undefined if the file is missing, or was erased while it was read. */
async function contentOf({ uploads }: CommandServices["documents"], uploadId: string): Promise<Buffer | undefined> {
  const file = await uploads.read(uploadId);
  try {
    return file && Buffer.concat(await file.toArray());
  } catch (error) {
    if (error instanceof ErasedContent) return undefined;
    throw error;
  }
}

const SWEEP_BATCH_SIZE = 100;

/**
 * Settles abandoned uploads that began before this moment (real time). Closes the booking against an upload before its
 * file is removed, so that no late request can record it. Returns how many there were.
 */
export async function sweepAbandonedUploads(services: CommandServices, begunBefore: number): Promise<number> {
  const left = await services.documents.uploads.listBegunBefore(begunBefore, SWEEP_BATCH_SIZE);
  for (const upload of left) await completeOrDiscard(services, upload);
  return left.length;
}

async function completeOrDiscard(services: CommandServices, { uploadId, bookingId }: PendingUpload): Promise<void> {
  const { handler, documents, reachedFaultPoint } = services;
  const outcome = await handler.execute({
    ...bookingStream(bookingId),
    command: { type: "CloseUpload", uploadId },
    context: systemContext(services),
    reply: (state) => hasUpload(state, uploadId),
  });
  reachedFaultPoint("upload:closed");
  if (outcome.accepted && outcome.reply) await documents.uploads.complete(uploadId);
  else await documents.uploads.discard(uploadId);
}

/** Real time. */
const SWEEP_INTERVAL_MS = 60_000;
/** Far longer than a request may take. */
const ABANDONED_AFTER_MS = 15 * 60_000;

/**
 * Removes the files of abandoned uploads at intervals. With `soleInstance` no other process uses the stores, so any
 * upload found at the start is abandoned.
 */
export async function startUploadSweeper(
  services: CommandServices,
  soleInstance: boolean,
  shutdown: Shutdown,
): Promise<void> {
  const sweep = (begunBefore: number) =>
    sweepAbandonedUploads(services, begunBefore).catch((error: unknown) => {
      if (!shutdown.isStopping) services.logger.warn({ err: error }, "abandoned uploads could not be removed");
    });
  if (soleInstance) await sweep(Date.now());
  shutdown.repeat("uploads", SWEEP_INTERVAL_MS, () => sweep(Date.now() - ABANDONED_AFTER_MS));
}
