/** The content of a machine-readable zone with correct check digits (ICAO 9303). */
export interface MachineReadableZone {
  /** One or two letters, without fillers. */
  readonly documentCode: string;
  /** The primary identifier, word by word: letters A to Z. */
  readonly surname: readonly string[];
  /** The secondary identifier; empty if there is none. */
  readonly givenNames: readonly string[];
  /** True if the names fill their field completely, so that further names may be missing. */
  readonly namesCutOff: boolean;
  /** `YYMMDD`; fillers replace unknown parts. */
  readonly expiresOn: string;
  /** The document's number, without fillers. Letters are replaced by digits that look like them: 5 for S. */
  readonly number: string;
}

/** The zone as read in a document. Names may be misread. */
export interface ReadZone {
  /** `SURNAME/GIVEN NAMES` */
  readonly name: string;
  /** `YYYY-MM-DD`; null if the zone has no valid date. */
  readonly expiresOn: string | null;
  /** As in `MachineReadableZone`; absent in older records. */
  readonly number?: string;
}

/** The reasons for refusing a file unread. */
export const FILE_FAULTS = [
  "encrypted",
  "active_content",
  "embedded_files",
  "mixed_formats",
  "too_many_pages",
  "too_large_unpacked",
  "image_too_large",
  "damaged",
] as const;
export type FileFault = (typeof FILE_FAULTS)[number];

/** The result of reviewing a file. */
export type DocumentReading =
  | {
      readonly outcome: "read";
      /** A zone from a picture also has correct check digits, but they do not cover the names. */
      readonly source: "text" | "scan";
      readonly zone: MachineReadableZone;
    }
  /** The zone was read without doubt, such as from a PDF's text, but has wrong check digits. */
  | { readonly outcome: "wrong_check_digits"; readonly documentCode: string }
  /** Nothing reliable was read; the document code of a partly legible zone, or null. */
  | { readonly outcome: "unreadable"; readonly documentCode: string | null }
  | { readonly outcome: "faulty"; readonly fault: FileFault };

/** How a passenger's name matches the name in a zone. */
export type NameMatch =
  /** All names of the zone are the passenger's. */
  | "all"
  /** The surname and at least one given name match; the passenger has left out others. */
  | "some"
  /** A person must decide. */
  | "doubtful"
  /** A person must decide: the name in a picture resembles the passenger's, but may be misread. */
  | "misread"
  | "other";

/** A reading, and how the names of passengers match its zone. */
export type ComparedReading =
  | Exclude<DocumentReading, { readonly outcome: "read" }>
  | (Extract<DocumentReading, { readonly outcome: "read" }> & {
      /** For all passengers, in their order. */
      readonly names: readonly ComparedName[];
    });

export interface ComparedName {
  readonly name: string;
  readonly match: NameMatch;
  /** It is in the order in which most people write their names: given names as in the zone, then the surname. */
  readonly isInOrder?: boolean;
}

/** The kinds of travel documents (docs/rules.md#document-kinds). `unknown` until something identifies the kind. */
export const DOCUMENT_KINDS = ["passport", "visa", "identity_card", "unknown"] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/**
 * The kind that a machine-readable zone names in its document code (ICAO 9303 parts 4 to 7): P is a passport, V a visa;
 * I, A and C are card-sized official documents.
 */
export function kindOfCode(documentCode: string): DocumentKind {
  switch (documentCode.charAt(0)) {
    case "P":
      return "passport";
    case "V":
      return "visa";
    case "I":
    case "A":
    case "C":
      return "identity_card";
    default:
      return "unknown";
  }
}
