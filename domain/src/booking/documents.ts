import { ERASED_WORDS } from "../personal-data/words.ts";
import { accept, assertNever, type Instant, reject } from "../shared/decision.ts";
import { assessReading, expiryProblem } from "../travel-document/assess-reading.ts";
import type { ComparedReading, DocumentKind, ReadZone } from "../travel-document/reading.ts";
import { samePersonName } from "../travel-document/same-person-name.ts";
import type { BookingHandlers } from "./commands.ts";
import type { DocumentContentType, DocumentEvent } from "./events.ts";
import {
  type BookingState,
  bookingOf,
  type DocumentHolder,
  documentsOf,
  type ExistingBooking,
  findDocument,
  hasUpload,
  isExistingBooking,
  type TravelDocument,
} from "./state.ts";

/** Limit per booking, because documents are listed without pages. */
export const MAX_DOCUMENTS = 100;

export const documentHandlers = {
  /** Records a document, also of a cancelled booking, but not of one of which anybody or the documents are erased. The same id again: a no-op. */
  UploadDocument({ type: _, accountId, ...file }, state, at) {
    const booking = bookingOf(state, accountId);
    if (booking === undefined) return reject("booking_not_found");
    const { documents, uploadsClosed } = booking;
    if (documents.some(({ documentId }) => documentId === file.documentId)) return accept();
    if (booking.erased !== undefined || booking.documentsErased === true) return reject("booking_not_found");
    if (uploadsClosed.includes(file.uploadId)) return reject("upload_closed");
    if (documents.length >= MAX_DOCUMENTS) return reject("too_many_documents", { most: MAX_DOCUMENTS });
    const fileName = displayFileName(file.fileName, file.contentType);
    return accept({ type: "DocumentUploaded", at, data: { ...file, fileName } });
  },

  /** Closes an upload against a late document, unless the upload has one. */
  CloseUpload({ uploadId }, state, at) {
    if (!isExistingBooking(state)) return reject("booking_not_found");
    if (hasUpload(state, uploadId) || state.uploadsClosed.includes(uploadId)) return accept();
    return accept({ type: "UploadClosed", at, data: { uploadId } });
  },

  /**
   * Assesses the reviewer's reading. It changes nothing after a decision, or if it was compared with former names of
   * the passengers. In the second case the document still waits.
   */
  RecordDocumentReading({ documentId, reading }, state, at) {
    const document = findDocument(state, documentId);
    if (document === undefined || !isExistingBooking(state)) return reject("document_not_found");
    if (document.awaits !== "reviewer" || !isOfPassengers(reading, state)) return accept();
    const assessment = assessReading(reading, state.departsAt, at);
    switch (assessment.verdict) {
      case "verified": {
        const { kind, passengers: fitting, zoneName, read } = assessment;
        const same = heldDocuments(state, { ...document, read });
        const holder = holderOf([document, ...same], state) ?? holderAmong(fitting, kind, state);
        if (holder === undefined || wasRejected(state, { ...document, read })) {
          return accept({ type: "DocumentLeftToOperator", at, data: { documentId, kind, zoneName, read } });
        }
        const data = { documentId, kind, passengers: listed(holder), zoneName, read, ...sameAs(same) };
        return accept({ type: "DocumentVerified", at, data });
      }
      case "rejected": {
        const { verdict: _, ...found } = assessment;
        return accept({ type: "DocumentRejected", at, data: { documentId, ...found } });
      }
      case "open": {
        const { verdict: _, ...found } = assessment;
        return accept({ type: "DocumentLeftToOperator", at, data: { documentId, ...found } });
      }
      default:
        return assertNever(assessment);
    }
  },

  /** An operator overrules the reviewer and earlier operators. */
  VerifyDocument(command, state, at) {
    const { documentId, passenger } = command;
    const document = findDocument(state, documentId);
    if (document === undefined || !isExistingBooking(state)) return reject("document_not_found");
    if (passenger !== undefined && state.passengers[passenger] === undefined) return reject("passenger_not_found");
    const kind = command.kind ?? (document.kind === "unknown" ? "passport" : document.kind);
    const same = heldDocuments(state, document);
    const holder = passenger ?? holderOf([document], state) ?? holderOf(same, state) ?? likelyHolder(kind, state);
    const isHeldByThem = holder === holderOf([document], state);
    const isAsItWas = document.status === "verified" && command.kind === undefined && passenger === undefined;
    if (isAsItWas && isHeldByThem) return accept();
    const zoneName = document.zoneName ?? document.holders[0]?.zoneName;
    const name = zoneName === undefined ? {} : { zoneName };
    const data = { documentId, kind, passengers: listed(holder), ...name, ...sameAs(same) };
    return accept({ type: "DocumentVerified", at, data });
  },

  /** If another verified upload of the same document has lost its holder to this one, it holds again. */
  RejectDocument({ documentId, reason }, state, at) {
    const document = findDocument(state, documentId);
    if (document === undefined || !isExistingBooking(state)) return reject("document_not_found");
    const { kind, status, decidedByOperator, rejectionReason } = document;
    if (status === "rejected" && decidedByOperator === true && rejectionReason === reason) return accept();
    const rejected = { type: "DocumentRejected", at, data: { documentId, kind, reason, byOperator: true } } as const;
    const holder = holderOf([document], state);
    const other = otherUploads(state, document).findLast(({ status }) => status === "verified");
    if (holder === undefined || other === undefined || other.holders.length > 0) return accept(rejected);
    const zoneName = other.zoneName ?? document.holders[0]?.zoneName;
    const name = zoneName === undefined ? {} : { zoneName };
    const data = { documentId: other.documentId, kind: other.kind, passengers: [holder], ...name };
    return accept<DocumentEvent>(rejected, { type: "DocumentVerified", at, data });
  },
} satisfies Partial<BookingHandlers>;

/**
 * What another departure means for documents that the reviewer has decided on: too short now, one is rejected. One whose expiry was
 * not recorded, or that was rejected because of it and would do now, is read once more. None of a booking of which anybody is erased.
 */
export function documentsJudgedAnew(
  booking: ExistingBooking,
  departsAt: Instant,
  at: Instant,
): readonly DocumentEvent[] {
  const { departsAt: before, erased, documents } = booking;
  if (erased !== undefined || departsAt === before) return [];
  return documents.flatMap(
    ({ documentId, kind, status, read, awaits, decidedByOperator, fileName }): readonly DocumentEvent[] => {
      // Bookings of an erased account have no event of it; their words are gone.
      const isErased = fileName === ERASED_WORDS.text;
      if (awaits !== null || decidedByOperator === true || isErased) return [];
      const lastDay = read?.expiresOn ?? undefined;
      const reason = lastDay === undefined ? null : expiryProblem(lastDay, departsAt, at);
      if (status === "verified" && reason !== null)
        return [{ type: "DocumentRejected", at, data: { documentId, kind, reason, byOperator: false } }];
      const wasShort = lastDay !== undefined && expiryProblem(lastDay, before, at) !== null;
      const mayDiffer =
        status === "verified" ? lastDay === undefined && departsAt > before : wasShort && reason === null;
      return mayDiffer ? [{ type: "DocumentReopened", at, data: { documentId } }] : [];
    },
  );
}

/** How many documents an operator has verified, which nothing judges anew for another departure. */
export function verifiedByOperators(booking: BookingState): number {
  const isTheirs = ({ status, decidedByOperator }: TravelDocument) =>
    status === "verified" && decidedByOperator === true;
  return documentsOf(booking).filter(isTheirs).length;
}

function isOfPassengers(reading: ComparedReading, { passengers }: Party): boolean {
  if (reading.outcome !== "read") return true;
  const { names } = reading;
  return names.length === passengers.length && names.every(({ name }, index) => name === passengers[index]?.name);
}

/** The holder if the operator names none: the first passenger who still needs a passport. */
function likelyHolder(kind: DocumentKind, booking: ExistingBooking): number | undefined {
  if (booking.passengers.length === 1) return 0;
  return kind === "passport" ? firstWithout(kind, booking, [...booking.passengers.keys()]) : undefined;
}

/** The first of these passengers who has no verified document of this kind. */
function firstWithout(kind: DocumentKind, party: Party, passengers: readonly number[]): number | undefined {
  const held = documentsHeld(kind, party);
  return passengers.find((passenger) => held[passenger] === undefined);
}

/**
 * The holder among passengers whom a document fits equally well: the first without one of its kind, or the first.
 * Undefined if they have different names: a person must decide.
 */
function holderAmong(fitting: readonly number[], kind: DocumentKind, party: Party): number | undefined {
  const [first = "", ...others] = fitting.map((passenger) => party.passengers[passenger]?.name ?? "");
  if (!others.every((name) => samePersonName(name, first))) return undefined;
  return firstWithout(kind, party, fitting) ?? fitting[0];
}

type UploadedDocument = Pick<TravelDocument, "documentId" | "sha256" | "read">;

/** Other uploads of the same document: the same file, or another file with the same zone. */
function otherUploads({ documents }: Party, { documentId, sha256, read }: UploadedDocument): readonly TravelDocument[] {
  return documents.filter((other) => {
    if (other.documentId === documentId) return false;
    return other.sha256 === sha256 || (read !== undefined && other.read !== undefined && isSameZone(read, other.read));
  });
}

/** Compares only fields with check digits. Names are misread, and one document would get two holders. */
function isSameZone(one: ReadZone, other: ReadZone): boolean {
  // Many documents may have no number, or none that was read.
  return Boolean(one.number) && one.number === other.number && one.expiresOn === other.expiresOn;
}

function heldDocuments(party: Party, document: UploadedDocument): readonly TravelDocument[] {
  return otherUploads(party, document).filter(({ holders }) => holders.length > 0);
}

/** Whether an operator has rejected the same document, so that only an operator may verify it. */
function wasRejected(party: Party, document: UploadedDocument): boolean {
  return otherUploads(party, document).some(
    ({ status, decidedByOperator }) => status === "rejected" && decidedByOperator === true,
  );
}

function listed(holder: number | undefined): readonly number[] {
  return holder === undefined ? [] : [holder];
}

function sameAs(same: readonly TravelDocument[]) {
  return same.length === 0 ? {} : { sameAs: same.map(({ documentId }) => documentId) };
}

/** The passenger who holds these documents, if they still travel. */
function holderOf(documents: readonly TravelDocument[], { passengers }: Party): number | undefined {
  const holders = documents.flatMap(({ holders }) => holders);
  return holders.find(({ passenger, name }) => samePersonName(name, passengers[passenger]?.name ?? ""))?.passenger;
}

type Party = Pick<ExistingBooking, "documents" | "passengers">;

/** Whether a passenger has a passport to board with. */
export interface PassportCheck {
  readonly check: "ok" | "pending" | "missing";
  /** The holder data of their verified passport; undefined if they have none. */
  readonly passport: DocumentHolder | undefined;
}

/**
 * Checks each passenger's passport, which boarding needs (docs/rules.md#document-check). `pending`: none is verified
 * yet, but one under review may be theirs. Each document under review counts for one passenger, in their order.
 */
export function passportChecks(party: Party): readonly PassportCheck[] {
  let underReview = party.documents.filter(mayBecomePassport).length;
  return documentsHeld("passport", party).map((passport) => {
    if (passport !== undefined) return { check: "ok", passport };
    underReview -= 1;
    return { check: underReview < 0 ? "missing" : "pending", passport };
  });
}

/** The last verified document of a kind for each passenger, if it is in their present name. */
function documentsHeld(
  wanted: DocumentKind,
  { documents, passengers }: Party,
): readonly (DocumentHolder | undefined)[] {
  const holders = documents
    .filter(({ kind, status }) => kind === wanted && status === "verified")
    .flatMap(({ holders }) => holders);
  return passengers.map(({ name }, passenger) =>
    holders.findLast((holder) => holder.passenger === passenger && samePersonName(holder.name, name)),
  );
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

/** Control characters, line ends and marks of writing direction, which are invisible in a name. */
const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/**
 * The file name that is shown: the client's, without folders and invisible characters, and of limited length. A name of
 * which nothing is left is replaced by one for the format.
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
