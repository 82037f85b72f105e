import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto";

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
