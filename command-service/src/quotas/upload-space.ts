import type { Rejection } from "@travel-booking/domain";
import { MAX_MULTIPART_OVERHEAD_BYTES } from "@travel-booking/http";
import type { Grant } from "./account-quota.ts";
import type { Quotas } from "./quotas.ts";

/** The file does not fit into what its account has left. */
export class NoSpaceLeft extends Error {
  override readonly name = "NoSpaceLeft";
  readonly rejection: Rejection;

  constructor(rejection: Rejection) {
    super("the account's quota of documents is reached");
    this.rejection = rejection;
  }
}

/** What one upload takes of its account's quotas, from its first byte on. */
export class UploadSpace {
  readonly #document: Grant;
  readonly #bytes: Grant;
  readonly #rejection: Rejection;
  /** The bytes that are granted, and those that have arrived. */
  #granted: number;
  #arrived = 0;

  private constructor(document: Grant, bytes: Grant, granted: number, rejection: Rejection) {
    this.#document = document;
    this.#bytes = bytes;
    this.#granted = granted;
    this.#rejection = rejection;
  }

  /**
   * @param bodyBytes of the request, if they are known: what is too large by them is refused before it is stored.
   * @throws NoSpaceLeft
   */
  static async take({ documents, documentBytes }: Quotas, accountId: string, bodyBytes: number): Promise<UploadSpace> {
    const least = Math.max(0, bodyBytes - MAX_MULTIPART_OVERHEAD_BYTES);
    const document = await documents.take(accountId);
    if (document === undefined) throw new NoSpaceLeft(documents.rejection);
    const bytes = await documentBytes.take(accountId, least);
    if (bytes !== undefined) return new UploadSpace(document, bytes, least, documentBytes.rejection);
    document.end(0);
    throw new NoSpaceLeft(documentBytes.rejection);
  }

  /** The content, as far as it fits. @throws NoSpaceLeft */
  async *fitting(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of content) {
      this.#arrived += chunk.length;
      const more = this.#arrived - this.#granted;
      if (more > 0) {
        if (!(await this.#bytes.extend(more))) throw new NoSpaceLeft(this.#rejection);
        this.#granted += more;
      }
      yield chunk;
    }
  }

  /** Once it is known whether the file stays. */
  end(stays: boolean): void {
    this.#document.end(stays ? 1 : 0);
    this.#bytes.end(stays ? this.#arrived : 0);
  }
}
