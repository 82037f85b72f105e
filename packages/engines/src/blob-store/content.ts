import { createHash } from "node:crypto";
import { BlobTooLarge, DamagedBlob, InvalidBlobKey, type StoredBlob } from "./index.ts";

/** Counts and hashes content while it is read. */
export class ContentMeter {
  readonly #content: AsyncIterable<Uint8Array>;
  readonly #maxBytes: number;
  readonly #hash = createHash("sha256");
  #bytes = 0;

  constructor(content: AsyncIterable<Uint8Array>, maxBytes: number) {
    this.#content = content;
    this.#maxBytes = maxBytes;
  }

  /** To be read once. @throws BlobTooLarge as soon as the content exceeds the limit */
  async *read(): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const piece of this.#content) {
      this.#bytes += piece.byteLength;
      if (this.#bytes > this.#maxBytes) throw new BlobTooLarge(this.#maxBytes);
      this.#hash.update(piece);
      yield piece;
    }
  }

  /** To be called once, after all content was read. */
  result(): StoredBlob {
    return { bytes: this.#bytes, sha256: this.#hash.digest("hex") };
  }
}

/** Passes stored content on, and fails at its end if it differs from what was stored. @throws DamagedBlob */
export async function* verifyContent(
  key: string,
  stored: StoredBlob,
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const measured = new ContentMeter(pieces, Number.MAX_SAFE_INTEGER);
  yield* measured.read();
  const { bytes, sha256 } = measured.result();
  if (bytes !== stored.bytes || sha256 !== stored.sha256) throw new DamagedBlob(key);
}

const KEY = /^[!-~]{1,200}$/;

/** @throws InvalidBlobKey */
export function checkKey(key: string): void {
  if (!KEY.test(key)) throw new InvalidBlobKey();
}
