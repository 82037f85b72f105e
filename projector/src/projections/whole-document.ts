import type { Document, Write } from "@travel-booking/engines/read-store";

/** What differs between documents that are written whole and never folded on. */
export interface WholeDocument extends Pick<Document, "key" | "position"> {
  /** Position of the event that made it, where that is an earlier one. */
  readonly created?: bigint;
  readonly body?: string;
  readonly state?: unknown;
  readonly indexes?: Document["indexes"];
  readonly staleAt?: number | null;
}

export function wholeDocument(model: string, document: WholeDocument): Write {
  const { position, created = position, body = null, state = null, indexes = {}, staleAt = null } = document;
  return { kind: "put", model, document: { key: document.key, position, created, body, state, indexes, staleAt } };
}
