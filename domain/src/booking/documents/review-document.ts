import { assertNever } from "../../shared/assert-never.ts";
import { accept, type Decision, type Instant, reject } from "../../shared/decision.ts";
import { assessReading } from "../../travel-document/assess-reading.ts";
import type { DocumentKind } from "../../travel-document/kind.ts";
import type { BookingRejectionCode } from "../rejections.ts";
import { type BookingState, type ExistingBooking, isExistingBooking } from "../state.ts";
import type { RecordDocumentReading, RejectDocument, VerifyDocument } from "./commands.ts";
import { documentCheck } from "./document-check.ts";
import type { DocumentLeftToOperator, DocumentRejected, DocumentVerified } from "./events.ts";
import { findDocument } from "./lookups.ts";

type Reviewed = DocumentVerified | DocumentRejected | DocumentLeftToOperator;
type ReviewDecision = Decision<Reviewed, BookingRejectionCode>;

/** Judges what the reviewer found. Once somebody has decided, what it finds counts no more. */
export function recordDocumentReading(
  { documentId, reading }: RecordDocumentReading,
  state: BookingState,
  at: Instant,
): ReviewDecision {
  const document = findDocument(state, documentId);
  if (document === undefined || !isExistingBooking(state)) return reject("document_not_found");
  if (document.awaits !== "reviewer") return accept();
  const judgement = assessReading(reading, state, at);
  const { kind } = judgement;
  switch (judgement.verdict) {
    case "verified": {
      const { passengers } = judgement;
      return accept<Reviewed>({ type: "DocumentVerified", at, data: { documentId, kind, passengers } });
    }
    case "rejected":
      return accept<Reviewed>({
        type: "DocumentRejected",
        at,
        data: { documentId, kind, reason: judgement.reason },
      });
    case "open":
      return accept<Reviewed>({ type: "DocumentLeftToOperator", at, data: { documentId, kind } });
    default:
      return assertNever(judgement);
  }
}

/** An operator's word stands above the reviewer's, and above an earlier one of their own. */
export function verifyDocument(command: VerifyDocument, state: BookingState, at: Instant): ReviewDecision {
  const { documentId } = command;
  const document = findDocument(state, documentId);
  if (document === undefined || !isExistingBooking(state)) return reject("document_not_found");
  const { passenger } = command;
  if (passenger !== undefined && state.passengers[passenger] === undefined) return reject("passenger_not_found");
  const isAsItWas = document.status === "verified" && command.kind === undefined && passenger === undefined;
  if (isAsItWas) return accept();
  const kind = command.kind ?? (document.kind === "unknown" ? "passport" : document.kind);
  const passengers = passenger === undefined ? likelyHolders(state, kind) : [passenger];
  return accept<Reviewed>({ type: "DocumentVerified", at, data: { documentId, kind, passengers } });
}

export function rejectDocument(
  { documentId, reason }: RejectDocument,
  state: BookingState,
  at: Instant,
): ReviewDecision {
  const document = findDocument(state, documentId);
  if (document === undefined) return reject("document_not_found");
  if (document.status === "rejected" && document.rejectionReason === reason) return accept();
  return accept<Reviewed>({ type: "DocumentRejected", at, data: { documentId, kind: document.kind, reason } });
}

/** Whose a document is that an operator names nobody for: the first passenger's who needs one. */
function likelyHolders(booking: ExistingBooking, kind: DocumentKind): readonly number[] {
  if (booking.passengers.length === 1) return [0];
  if (kind !== "passport") return [];
  const first = booking.passengers.findIndex((_, index) => documentCheck(booking, index) !== "ok");
  return first === -1 ? [] : [first];
}
