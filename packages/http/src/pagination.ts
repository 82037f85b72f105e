import { hash, timingSafeEqual } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { DerivedKeys } from "@travel-booking/runtime";
import { errorResponse } from "./error-response.ts";
import type { ApiResponse } from "./route.ts";

/** One entry of a list: the JSON that is sent as it is, and its sort value. */
export interface PageEntry {
  /** Null: an entry that is not shown, but counts as read. */
  readonly json: string | null;
  readonly sort: string;
  /** True if the read stopped here, and the rest is for another page. */
  readonly more?: true;
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

/** Entries per read. A page of the default size takes one read. */
const READ_AT_ONCE = 21;
/** Characters after which a page ends, whatever its limit: a hundred of the largest entries took half a second. */
const MAX_CHARACTERS = 262_144;

/** One page of a list (docs/rules.md#pages); 400 for a cursor of another list. */
export async function pageResponse({ cursors, scope, limit, cursor, read }: PageOptions): Promise<ApiResponse> {
  const after = cursor === undefined ? undefined : cursors.decode(scope, cursor);
  if (cursor !== undefined && after === undefined) {
    return errorResponse(400, "invalid_cursor", ["cursor is not one this list has given for these filters"]);
  }
  // Concatenates stored JSON without parsing it.
  let data = "";
  let count = 0;
  let last = after;
  for (;;) {
    const isFull = () => count === limit || data.length > MAX_CHARACTERS;
    // One extra entry tells whether there is a next page.
    const most = isFull() ? 1 : Math.min(limit + 1 - count, READ_AT_ONCE);
    const entries = await read(most, last);
    for (const { json, sort, more } of entries) {
      if (isFull()) return pageOf(data, cursors.encode(scope, last ?? ""));
      if (json !== null) data += data === "" ? json : `,${json}`;
      if (more) return pageOf(data, cursors.encode(scope, sort));
      count += 1;
      last = sort;
    }
    if (entries.length < most) return pageOf(data, null);
    // Other requests are served between two reads.
    await setImmediate();
  }
}

function pageOf(data: string, nextCursor: string | null): ApiResponse {
  const page = JSON.stringify({ nextCursor, hasMore: nextCursor !== null });
  return { status: 200, json: `{"data":[${data}],"page":${page}}` };
}

/** A cursor is bound to these, and invalid for another operation, account or filter. */
export interface CursorScope {
  readonly operationId: string;
  /** Null for lists that all accounts share. */
  readonly accountId: string | null;
  readonly filters: Readonly<Record<string, string | number | boolean | undefined>>;
}

/** Characters of base64url: 132 bits. */
const MAC_LENGTH = 22;

/** Encodes and decodes the cursors of lists. They are opaque to clients, and signed so that nobody can forge them. */
export class Cursors {
  readonly #keys: readonly [string, ...string[]];

  /** 32 bytes each, used for nothing else. */
  constructor([key, other = key]: DerivedKeys) {
    this.#keys = [Buffer.from(key).toString("hex"), Buffer.from(other).toString("hex")];
  }

  /** A cursor that continues after this sort value. */
  encode(scope: CursorScope, sort: string): string {
    return cursorOf(this.#keys[0], scope, sort);
  }

  /** The sort value in a cursor of this scope; undefined for any other text. */
  decode(scope: CursorScope, cursor: string): string | undefined {
    const sort = Buffer.from(cursor.slice(MAC_LENGTH), "base64url").toString("utf8");
    const isOf = (key: string) => {
      const [given, expected] = [Buffer.from(cursor), Buffer.from(cursorOf(key, scope, sort))];
      return given.length === expected.length && timingSafeEqual(given, expected);
    };
    return this.#keys.some(isOf) ? sort : undefined;
  }
}

function cursorOf(key: string, scope: CursorScope, sort: string): string {
  return macOf(key, scope, sort) + Buffer.from(sort, "utf8").toString("base64url");
}

/**
 * SHA-3 with the key in front. Unlike SHA-2, it can't be extended without the key, and one call on text costs a fifth
 * of Node's HMAC.
 */
function macOf(key: string, { operationId, accountId, filters }: CursorScope, sort: string): string {
  const chosen = Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  // The JSON ends at its closing bracket, so no two pairs of scope and sort value give the same text.
  const text = `${key}${JSON.stringify([operationId, accountId, chosen])}${sort}`;
  return hash("sha3-256", text, "base64url").slice(0, MAC_LENGTH);
}
