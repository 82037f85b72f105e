/** Most bytes of a document's file (docs/rules.md#document-upload). */
export const LARGEST_DOCUMENT = 10_485_760;
