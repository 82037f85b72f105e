import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto";
import { errorResponse } from "./error-response.ts";
import type { ApiResponse } from "./route.ts";

/** One entry of a list: the JSON that is sent as it is, and its sort value. */
export interface PageEntry {
  readonly json: string;
  readonly sort: string;
}

interface PageOptions {
  readonly cursors: Cursors;
  readonly scope: CursorScope;
  readonly limit: number;
  /** As the client sent it. */
  readonly cursor: string | undefined;
  /** Reads at most `limit` entries after a sort value, in the order of the list. */
  read(limit: number, after: string | undefined): Promise<readonly PageEntry[]> | readonly PageEntry[];
}

/** One page of a list (docs/rules.md#pages); 400 for a cursor of another list. */
export async function pageResponse({ cursors, scope, limit, cursor, read }: PageOptions): Promise<ApiResponse> {
  const after = cursor === undefined ? undefined : cursors.decode(scope, cursor);
  if (cursor !== undefined && after === undefined) {
    return errorResponse(400, ["cursor is not one this list has given for these filters"]);
  }
  // One extra entry tells whether there is a next page.
  const entries = await read(limit + 1, after);
  const last = entries.length > limit ? entries[limit - 1] : undefined;
  const nextCursor = last === undefined ? null : cursors.encode(scope, last.sort);
  return { status: 200, json: pageBody(entries.slice(0, limit), nextCursor) };
}

/** Concatenates stored JSON without parsing it. */
function pageBody(entries: readonly PageEntry[], nextCursor: string | null): string {
  const page = JSON.stringify({ nextCursor, hasMore: nextCursor !== null });
  return `{"data":[${entries.map(({ json }) => json).join()}],"page":${page}}`;
}

/** What a cursor is bound to: it is invalid for another operation, account or filter. */
export interface CursorScope {
  readonly operationId: string;
  /** Null for lists that all accounts share. */
  readonly accountId: string | null;
  readonly filters: Readonly<Record<string, string | number | boolean | undefined>>;
}

const MAC_BYTES = 16;

/** Encodes and decodes the cursors of lists: opaque to clients, and signed so that they cannot be forged. */
export class Cursors {
  readonly #key: KeyObject;

  /** 32 bytes, for this purpose alone. */
  constructor(key: Uint8Array) {
    this.#key = createSecretKey(key);
  }

  /** A cursor that continues after this sort value. */
  encode(scope: CursorScope, sort: string): string {
    const text = Buffer.from(sort, "utf8");
    return Buffer.concat([this.#mac(scope, text), text]).toString("base64url");
  }

  /** The sort value in a cursor of this scope; undefined for any other text. */
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
    // The JSON ends at its closing bracket, so no two pairs of scope and sort value give the same bytes.
    return createHmac("sha256", this.#key)
      .update(JSON.stringify([operationId, accountId, chosen]))
      .update(sort)
      .digest()
      .subarray(0, MAC_BYTES);
  }
}
