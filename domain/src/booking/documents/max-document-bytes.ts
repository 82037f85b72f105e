/** Most bytes of a document's file (API document, section 8). */
export const MAX_DOCUMENT_BYTES = 10_485_760;
