const HEAD_END = Buffer.from("\r\n\r\n");
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i;
const EMPTY_STATUSES = new Set([204, 304]);

/** One answer: its status, and the bytes of its body where the reader keeps them. */
export interface RawResponse {
  readonly status: number;
  readonly body: Buffer;
}

/**
 * Reads answers off one connection, one at a time: the status line and `Content-Length`, nothing else. An answer
 * without a length is an error, not something to guess at.
 */
export class ResponseReader {
  #pending: Buffer = Buffer.alloc(0);

  /** Takes what arrived; the answer, once it is whole. */
  push(chunk: Buffer): RawResponse | undefined {
    const data = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    this.#pending = data;
    const headEnd = data.indexOf(HEAD_END);
    if (headEnd < 0) return undefined;

    const head = data.toString("latin1", 0, headEnd);
    const status = Number(head.slice(9, 12));
    const length = CONTENT_LENGTH.exec(head)?.[1];
    if (length === undefined && !EMPTY_STATUSES.has(status))
      throw new Error(`an answer without Content-Length: ${head}`);

    const bodyStart = headEnd + HEAD_END.length;
    const end = bodyStart + Number(length ?? 0);
    if (data.length < end) return undefined;
    if (data.length > end) throw new Error("bytes behind the answer");
    this.#pending = Buffer.alloc(0);
    return { status, body: data.subarray(bodyStart, end) };
  }
}
