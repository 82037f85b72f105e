/** The content of a machine-readable zone with correct check digits (ICAO 9303). */
export interface MachineReadableZone {
  /** One or two letters, without fillers. */
  readonly documentCode: string;
  /** The primary identifier, word by word: letters A to Z. */
  readonly surname: readonly string[];
  /** The secondary identifier; empty where there is none. */
  readonly givenNames: readonly string[];
  /** The names fill their field to its end, so there may be more of them. */
  readonly namesCutOff: boolean;
  /** `YYMMDD`; a part that is not known is made of fillers. */
  readonly expiresOn: string;
}

/** Why a file is not read at all. */
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

/** What a reviewer found in a file. */
export type DocumentReading =
  | {
      readonly outcome: "read";
      /** A zone read from a picture has the right check digits, too; but they do not cover the names. */
      readonly source: "text" | "scan";
      readonly zone: MachineReadableZone;
    }
  /** A zone that was read without doubt, as from a PDF's text, and whose check digits are wrong. */
  | { readonly outcome: "wrong_check_digits"; readonly documentCode: string }
  /** Nothing that could be relied on; the code of a zone that was made out in part, or none. */
  | { readonly outcome: "unreadable"; readonly documentCode: string | null }
  | { readonly outcome: "faulty"; readonly fault: FileFault };

/** What a travel document is (docs/rules.md#document-kinds). `unknown` until something tells. */
export const DOCUMENT_KINDS = ["passport", "visa", "identity_card", "unknown"] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/**
 * The kind a machine-readable zone names in its document code (ICAO 9303 parts 4 to 7): P is a passport, V a visa; I,
 * A and C are official documents in the size of a card.
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
