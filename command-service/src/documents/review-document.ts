import { ReadingTimeout, ReviewerStopped } from "@travel-booking/document-reviewer";
import {
  bookingDecider,
  type DocumentReading,
  type DueTask,
  findDocument,
  type TravelDocument,
} from "@travel-booking/domain";
import { systemContext } from "../processes/system-context.ts";
import type { CommandServices } from "../services.ts";
import { bookingStream } from "../streams.ts";

export type ReviewDueTask = Extract<DueTask, { readonly kind: "review_document" }>;

/** A file that makes the reviewer fail so often is left to an operator; one that takes too long, at once. */
export const MAX_ATTEMPTS = 3;

const UNREADABLE: DocumentReading = { outcome: "unreadable", documentCode: null };

/** What became of a review; `failed`: the reviewer could not read the file, and was not to try again. */
export type ReviewOutcome = "verified" | "rejected" | "operator" | "failed" | "settled";

export interface ReviewResult {
  readonly outcome: ReviewOutcome;
  readonly position: bigint;
}

/**
 * Reads a document's file and records what follows from it. Whoever was quicker, another reviewer or an operator, has
 * decided: then nothing is recorded.
 * @param attempt from 1.
 * @throws Error it is to be tried again.
 */
export async function reviewDocument(
  services: CommandServices,
  { bookingId, documentId }: ReviewDueTask,
  attempt: number,
): Promise<ReviewResult> {
  const { handler, reachedFaultPoint } = services;
  const stream = bookingStream(bookingId);
  const waiting = await handler.readState({
    stream,
    decider: bookingDecider,
    reply: (state) => {
      const document = findDocument(state, documentId);
      return document?.awaits === "reviewer" ? { ...document } : undefined;
    },
  });
  const reading = waiting === undefined ? UNREADABLE : await readFile(services, waiting, attempt);
  reachedFaultPoint("review:read");
  const outcome = await handler.execute({
    stream,
    decider: bookingDecider,
    command: { type: "RecordDocumentReading", documentId, reading },
    context: systemContext(services),
    reply: (state, events) => (events.length === 0 ? "settled" : outcomeOf(findDocument(state, documentId))),
  });
  reachedFaultPoint("review:recorded");
  if (!outcome.accepted) throw new Error(`document ${documentId} is not on its booking: ${outcome.rejection.code}`);
  const failed = waiting !== undefined && reading === UNREADABLE && outcome.reply === "operator";
  return { outcome: failed ? "failed" : outcome.reply, position: outcome.position };
}

function outcomeOf(document: TravelDocument | undefined): ReviewOutcome {
  if (document?.status === "verified" || document?.status === "rejected") return document.status;
  return "operator";
}

async function readFile(
  { documents, logger }: CommandServices,
  { documentId, uploadId, contentType }: TravelDocument,
  attempt: number,
): Promise<DocumentReading> {
  const blob = await documents.uploads.read(uploadId);
  if (blob === undefined) {
    logger.error({ documentId }, "a document's file is missing");
    return UNREADABLE;
  }
  const content = Buffer.concat(await blob.stream.toArray());
  try {
    return await documents.reviewer.read(content, contentType);
  } catch (error) {
    const isWorthAnother = attempt < MAX_ATTEMPTS && !(error instanceof ReadingTimeout);
    if (isWorthAnother || error instanceof ReviewerStopped) throw error;
    logger.warn({ err: error, documentId, attempt }, "a document can't be reviewed; it is left to an operator");
    return UNREADABLE;
  }
}
