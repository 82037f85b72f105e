/** Most bytes of a document's file (docs/rules.md#document-upload). */
export const MAX_DOCUMENT_BYTES = 10_485_760;
