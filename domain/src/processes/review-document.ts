import { type BookingState, findDocument, isExistingBooking } from "../booking/state.ts";
import type { Instant } from "../shared/decision.ts";
import type { ComparedReading } from "../travel-document/reading.ts";
import { dueTask, type ProcessDefinition } from "./process.ts";
import { call, execute, faultPoint, readState, type Saga } from "./saga.ts";

type Begun = { readonly at: Instant; readonly data: { readonly documentId: string } };

/** @param accountId of the uploader; null where the flight departs at another time. The reviewer serves accounts in turn. */
const begin = ({ at, data: { documentId } }: Begun, bookingId: string, accountId: string | null) => {
  return { bookingId, documentId, accountId, dueAt: at };
};

const reviewDocumentTask = dueTask({
  kind: "review_document",
  openedBy: { DocumentUploaded: begin, DocumentReopened: begin },
  closedBy: {
    DocumentVerified: ({ data }) => data.documentId,
    DocumentRejected: ({ data }) => data.documentId,
    DocumentLeftToOperator: ({ data }) => data.documentId,
  },
  key: ({ documentId }) => documentId,
  run: ({ bookingId, documentId }) => reviewDocument(bookingId, documentId, 1),
  list: "reviews",
});

const UNREADABLE: ComparedReading = { outcome: "unreadable", documentCode: null };

/**
 * The result of a review. `failed`: the reviewer could not read the file and gave up. `outdated`: passengers were
 * renamed meanwhile, so the document still waits.
 */
export type ReviewOutcome = "verified" | "rejected" | "operator" | "failed" | "settled" | "outdated";

/** A file's reading, compared with the passengers. `gaveUp`: the reviewer could not read it, and must not try again. */
export interface FileReading {
  readonly reading: ComparedReading;
  readonly gaveUp: boolean;
}

/** Reads a document's file and records what follows from it. `attempt` counts from 1. */
export function* reviewDocument(bookingId: string, documentId: string, attempt: number): Saga<ReviewOutcome> {
  return yield* recordReading(bookingId, documentId, yield* readFile(bookingId, documentId, attempt));
}

/** The first half of `reviewDocument`: reads the file, if its document waits for a reviewer. */
export function* readFile(bookingId: string, documentId: string, attempt: number): Saga<FileReading> {
  const waiting = yield* readState("booking", bookingId, (booking) => {
    const document = findDocument(booking, documentId);
    if (document?.awaits !== "reviewer" || !isExistingBooking(booking)) return undefined;
    return { document: { ...document }, names: booking.passengers.map(({ name }) => name) };
  });
  const reading = waiting && (yield* call("readDocument", waiting.document, waiting.names, attempt));
  yield* faultPoint("review:read");
  return { reading: reading ?? UNREADABLE, gaveUp: waiting !== undefined && reading === undefined };
}

/**
 * The second half: records the consequences of the reading. Records nothing if another reviewer or an operator has
 * decided meanwhile, or passengers were renamed. Idempotent.
 */
export function* recordReading(
  bookingId: string,
  documentId: string,
  { reading, gaveUp }: FileReading,
): Saga<ReviewOutcome> {
  const command = { type: "RecordDocumentReading", documentId, reading } as const;
  const recorded = yield* execute("booking", bookingId, command, (booking, events) =>
    outcomeOf(booking, documentId, events.length > 0),
  );
  yield* faultPoint("review:recorded");
  if (!recorded.accepted) throw new Error(`document ${documentId} is not on its booking: ${recorded.rejection.code}`);
  return gaveUp && recorded.reply === "operator" ? "failed" : recorded.reply;
}

function outcomeOf(booking: BookingState, documentId: string, isRecorded: boolean): ReviewOutcome {
  const document = findDocument(booking, documentId);
  if (document?.awaits === "reviewer") return "outdated";
  if (!isRecorded) return "settled";
  return document?.status === "verified" || document?.status === "rejected" ? document.status : "operator";
}

export const review = {
  name: "review a document",
  steps: "booking records the upload, its file is read, booking records what follows",
  undoneBy: "an operator decides",
  tasks: [reviewDocumentTask],
} as const satisfies ProcessDefinition;
