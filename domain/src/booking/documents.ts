import { accept, assertNever, type Instant, reject } from "../shared/decision.ts";
import { assessReading, type DocumentAssessment } from "../travel-document/assess-reading.ts";
import { samePersonName } from "../travel-document/match-name.ts";
import type { DocumentKind } from "../travel-document/reading.ts";
import type {
  BookingDecision,
  CloseUpload,
  RecordDocumentReading,
  RejectDocument,
  UploadDocument,
  VerifyDocument,
} from "./commands.ts";
import type { DocumentContentType } from "./events.ts";
import {
  type BookingState,
  bookingOf,
  type DocumentHolder,
  type ExistingBooking,
  findDocument,
  hasUpload,
  isExistingBooking,
  type TravelDocument,
} from "./state.ts";

/** Per booking: they are listed without pages. */
export const MAX_DOCUMENTS = 100;

/** Records a document, also of a cancelled booking, but not of one that is erased. The same id again: a no-op. */
export function uploadDocument(
  { type: _, accountId, ...file }: UploadDocument,
  state: BookingState,
  at: Instant,
): BookingDecision {
  const booking = bookingOf(state, accountId);
  if (booking === undefined) return reject("booking_not_found");
  const { documents, uploadsClosed } = booking;
  if (documents.some(({ documentId }) => documentId === file.documentId)) return accept();
  if (booking.erased === true) return reject("booking_not_found");
  if (uploadsClosed.includes(file.uploadId)) return reject("upload_closed");
  if (documents.length >= MAX_DOCUMENTS) return reject("too_many_documents", { most: MAX_DOCUMENTS });
  const fileName = displayFileName(file.fileName, file.contentType);
  return accept({ type: "DocumentUploaded", at, data: { ...file, fileName } });
}

/** Closes an upload against a late document, unless it has one. */
export function closeUpload({ uploadId }: CloseUpload, state: BookingState, at: Instant): BookingDecision {
  if (!isExistingBooking(state)) return reject("booking_not_found");
  if (hasUpload(state, uploadId) || state.uploadsClosed.includes(uploadId)) return accept();
  return accept({ type: "UploadClosed", at, data: { uploadId } });
}

/** Assesses what the reviewer found. Once a decision is recorded, a later reading changes nothing. */
export function recordDocumentReading(
  { documentId, reading }: RecordDocumentReading,
  state: BookingState,
  at: Instant,
): BookingDecision {
  const document = findDocument(state, documentId);
  if (document === undefined || !isExistingBooking(state)) return reject("document_not_found");
  if (document.awaits !== "reviewer") return accept();
  const judgement = assessReading(reading, state, at);
  const { kind } = judgement;
  switch (judgement.verdict) {
    case "verified": {
      const { passengers, zoneName } = judgement;
      return accept({ type: "DocumentVerified", at, data: { documentId, kind, passengers, zoneName } });
    }
    case "rejected":
      return accept({
        type: "DocumentRejected",
        at,
        data: { documentId, kind, reason: judgement.reason },
      });
    case "open":
      return accept({ type: "DocumentLeftToOperator", at, data: { documentId, kind, ...readIn(judgement) } });
    default:
      return assertNever(judgement);
  }
}

function readName({ zoneName }: { readonly zoneName?: string | undefined }) {
  return zoneName === undefined ? {} : { zoneName };
}

function readIn({ zoneName, read }: Extract<DocumentAssessment, { readonly verdict: "open" }>) {
  return { ...readName({ zoneName }), ...(read !== undefined && { read }) };
}

/** An operator overrules the reviewer and earlier operators. */
export function verifyDocument(command: VerifyDocument, state: BookingState, at: Instant): BookingDecision {
  const { documentId } = command;
  const document = findDocument(state, documentId);
  if (document === undefined || !isExistingBooking(state)) return reject("document_not_found");
  const { passenger } = command;
  if (passenger !== undefined && state.passengers[passenger] === undefined) return reject("passenger_not_found");
  const isAsItWas = document.status === "verified" && command.kind === undefined && passenger === undefined;
  if (isAsItWas) return accept();
  const kind = command.kind ?? (document.kind === "unknown" ? "passport" : document.kind);
  const passengers = passenger === undefined ? likelyHolders(state, kind) : [passenger];
  return accept({ type: "DocumentVerified", at, data: { documentId, kind, passengers, ...readName(document) } });
}

export function rejectDocument(
  { documentId, reason }: RejectDocument,
  state: BookingState,
  at: Instant,
): BookingDecision {
  const document = findDocument(state, documentId);
  if (document === undefined) return reject("document_not_found");
  if (document.status === "rejected" && document.rejectionReason === reason) return accept();
  return accept({ type: "DocumentRejected", at, data: { documentId, kind: document.kind, reason } });
}

/** Holders where the operator names none: the first passenger who still needs a passport. */
function likelyHolders(booking: ExistingBooking, kind: DocumentKind): readonly number[] {
  if (booking.passengers.length === 1) return [0];
  if (kind !== "passport") return [];
  const first = booking.passengers.findIndex((_, index) => documentCheck(booking, index) !== "ok");
  return first === -1 ? [] : [first];
}

type DocumentCheck = "ok" | "pending" | "missing";
type Party = Pick<ExistingBooking, "documents" | "passengers">;

/**
 * Whether a passenger may board as far as documents go: boarding needs a verified passport
 * (docs/rules.md#document-check). `pending`: none yet, but one under review may be theirs. Each document under review counts
 * for one passenger, in their order. `missing` also where there is no such passenger.
 */
export function documentCheck(party: Party, passenger: number): DocumentCheck {
  const { documents, passengers } = party;
  if (passengers[passenger] === undefined) return "missing";
  if (verifiedPassportOf(party, passenger) !== undefined) return "ok";
  const before = passengers.slice(0, passenger);
  const inNeedBefore = before.filter((_, index) => verifiedPassportOf(party, index) === undefined).length;
  return inNeedBefore < documents.filter(mayBecomePassport).length ? "pending" : "missing";
}

/** What the verified passport of a passenger says about its holder: the last one, of whoever the passenger is now. */
export function verifiedPassportOf({ documents, passengers }: Party, passenger: number): DocumentHolder | undefined {
  const name = passengers[passenger]?.name;
  if (name === undefined) return undefined;
  return documents
    .filter(({ kind, status }) => kind === "passport" && status === "verified")
    .flatMap(({ holders }) => holders)
    .findLast((holder) => holder.passenger === passenger && samePersonName(holder.name, name));
}

function mayBecomePassport({ kind, status }: TravelDocument): boolean {
  return status === "pending" && (kind === "passport" || kind === "unknown");
}

/** Most bytes of a document's file (docs/rules.md#document-upload). */
export const MAX_DOCUMENT_BYTES = 10_485_760;

/** Bytes needed to detect the format. */
export const MAGIC_BYTES_LENGTH = 8;

const MAGIC_BYTES: readonly (readonly [DocumentContentType, readonly number[]])[] = [
  ["application/pdf", [0x25, 0x50, 0x44, 0x46, 0x2d]],
  ["image/png", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ["image/jpeg", [0xff, 0xd8, 0xff]],
];

/** Detects the format from the first bytes, not from the name or header; undefined for any other format. */
export function detectContentType(firstBytes: Uint8Array): DocumentContentType | undefined {
  return MAGIC_BYTES.find(([, beginning]) => beginning.every((byte, index) => firstBytes[index] === byte))?.[0];
}

/** Most characters (UTF-16 code units) of a file name that is shown. */
export const MAX_FILE_NAME_LENGTH = 255;
const LONGEST_EXTENSION = 16;

const ENDINGS: Readonly<Record<DocumentContentType, string>> = {
  "application/pdf": "pdf",
  "image/png": "png",
  "image/jpeg": "jpg",
};

/** Controls, line ends and marks of writing direction: invisible in a name. */
const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/**
 * The file name as shown: the client's, without folders and invisible characters, and of limited length. Where nothing
 * is left it is named after the format.
 */
function displayFileName(name: string, contentType: DocumentContentType): string {
  const own = name.toWellFormed().replaceAll("\\", "/").split("/").at(-1) ?? "";
  const seen = own.replaceAll(INVISIBLE, "").trim();
  if (seen === "" || seen === "." || seen === "..") return `document.${ENDINGS[contentType]}`;
  return truncated(seen);
}

/** Keeps the extension. */
function truncated(name: string): string {
  if (name.length <= MAX_FILE_NAME_LENGTH) return name;
  const dot = name.lastIndexOf(".");
  const ending = dot > 0 && name.length - dot <= LONGEST_EXTENSION ? name.slice(dot) : "";
  const kept = name.slice(0, MAX_FILE_NAME_LENGTH - ending.length);
  return `${kept.isWellFormed() ? kept : kept.slice(0, -1)}${ending}`;
}
