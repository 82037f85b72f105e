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
