import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto";
import { errorResponse } from "./error-response.ts";
import type { ApiResponse } from "./route.ts";

/** One entry of a list: the JSON that is sent as it is, and where it stands. */
export interface PageEntry {
  readonly json: Uint8Array;
  readonly sort: string;
}

interface PageOptions {
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

/** What a cursor is bound to: it is of no use for another operation, account or filter. */
export interface CursorScope {
  readonly operationId: string;
  /** Null for what all accounts share. */
  readonly accountId: string | null;
  readonly filters: Readonly<Record<string, string | number | boolean | undefined>>;
}

const MAC_BYTES = 16;

/** Makes and reads the cursors of lists: opaque to clients, and signed so that none can be made up. */
export class Cursors {
  readonly #key: KeyObject;

  /** 32 bytes, for this purpose alone. */
  constructor(key: Uint8Array) {
    this.#key = createSecretKey(key);
  }

  /** A cursor that continues behind this sort value. */
  encode(scope: CursorScope, sort: string): string {
    const text = Buffer.from(sort, "utf8");
    return Buffer.concat([this.#mac(scope, text), text]).toString("base64url");
  }

  /** The sort value in a cursor of this very scope; undefined for anything else. */
  decode(scope: CursorScope, cursor: string): string | undefined {
    const bytes = Buffer.from(cursor, "base64url");
    if (bytes.length < MAC_BYTES || bytes.toString("base64url") !== cursor) return undefined;
    const text = bytes.subarray(MAC_BYTES);
    return timingSafeEqual(bytes.subarray(0, MAC_BYTES), this.#mac(scope, text)) ? text.toString("utf8") : undefined;
  }

  #mac({ operationId, accountId, filters }: CursorScope, sort: Uint8Array): Buffer {
    const chosen = Object.entries(filters)
      .filter(([, value]) => value !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    // The JSON text ends where its brackets close, so no scope and sort value can pass for another pair of them.
    return createHmac("sha256", this.#key)
      .update(JSON.stringify([operationId, accountId, chosen]))
      .update(sort)
      .digest()
      .subarray(0, MAC_BYTES);
  }
}
