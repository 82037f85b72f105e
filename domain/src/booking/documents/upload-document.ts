import { accept, type Decision, type Instant, reject } from "../../shared/decision.ts";
import type { BookingRejectionCode } from "../rejections.ts";
import { type BookingState, bookingOf, isExistingBooking } from "../state.ts";
import type { CloseUpload, UploadDocument } from "./commands.ts";
import type { DocumentUploaded, UploadClosed } from "./events.ts";
import { displayFileName } from "./file-name.ts";
import { hasUpload } from "./lookups.ts";

/** They are listed in one piece. */
export const MAX_DOCUMENTS = 100;

/** Records a document; of a cancelled booking, too, where it is for the record only. The same id again changes nothing. */
export function uploadDocument(
  { type: _, accountId, ...file }: UploadDocument,
  state: BookingState,
  at: Instant,
): Decision<DocumentUploaded, BookingRejectionCode> {
  const booking = bookingOf(state, accountId);
  if (booking === undefined) return reject("booking_not_found");
  const { documents, uploadsClosed } = booking;
  if (documents.some(({ documentId }) => documentId === file.documentId)) return accept();
  if (uploadsClosed.includes(file.uploadId)) return reject("upload_closed");
  if (documents.length >= MAX_DOCUMENTS) return reject("too_many_documents", { most: MAX_DOCUMENTS });
  const fileName = displayFileName(file.fileName, file.contentType);
  return accept<DocumentUploaded>({ type: "DocumentUploaded", at, data: { ...file, fileName } });
}

/** Settles for good that a file has no document, unless it has one. */
export function closeUpload(
  { uploadId }: CloseUpload,
  state: BookingState,
  at: Instant,
): Decision<UploadClosed, BookingRejectionCode> {
  if (!isExistingBooking(state)) return reject("booking_not_found");
  if (hasUpload(state, uploadId) || state.uploadsClosed.includes(uploadId)) return accept();
  return accept<UploadClosed>({ type: "UploadClosed", at, data: { uploadId } });
}
