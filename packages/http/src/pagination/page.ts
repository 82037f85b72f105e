import { errorResponse } from "../errors/error-response.ts";
import type { ApiResponse } from "../route.ts";
import type { CursorScope, Cursors } from "./cursors.ts";

/** One entry of a list: the JSON that is sent as it is, and where it stands. */
export interface PageEntry {
  readonly json: Uint8Array;
  readonly sort: string;
}

export interface PageOptions {
  readonly cursors: Cursors;
  readonly scope: CursorScope;
  /** Entries at most. */
  readonly limit: number;
  /** As the client sent it. */
  readonly cursor: string | undefined;
  /** Reads at most so many entries behind a sort value, in the order of the list. */
  read(limit: number, after: string | undefined): Promise<readonly PageEntry[]> | readonly PageEntry[];
}

/** One page of a list (docs/rules.md#pages); 400 for a cursor that is not of this very list. */
export async function pageResponse({ cursors, scope, limit, cursor, read }: PageOptions): Promise<ApiResponse> {
  const after = cursor === undefined ? undefined : cursors.decode(scope, cursor);
  if (cursor !== undefined && after === undefined) {
    return errorResponse(400, ["cursor is not one this list has given for these filters"]);
  }
  // One entry more than asked for tells whether there are more.
  const entries = await read(limit + 1, after);
  const last = entries.length > limit ? entries[limit - 1] : undefined;
  const nextCursor = last === undefined ? null : cursors.encode(scope, last.sort);
  return { status: 200, json: pageBody(entries.slice(0, limit), nextCursor) };
}

/** Puts stored JSON together without reading it. */
function pageBody(entries: readonly PageEntry[], nextCursor: string | null): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const { json } of entries) parts.push(parts.length === 0 ? OPENING : COMMA, json);
  if (parts.length === 0) parts.push(OPENING);
  const page = JSON.stringify({ nextCursor, hasMore: nextCursor !== null });
  parts.push(Buffer.from(`],"page":${page}}`));
  return Buffer.concat(parts);
}

const OPENING = Buffer.from('{"data":[');
const COMMA = Buffer.from(",");
