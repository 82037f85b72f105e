/** Most bytes of a document's file (API document, section 8). */
export const LARGEST_DOCUMENT = 10_485_760;
