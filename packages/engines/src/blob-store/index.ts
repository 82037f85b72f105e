import type { Readable } from "node:stream";
import { EngineUnavailable } from "../unavailable.ts";

export interface StoredBlob {
  readonly bytes: number;
  /** SHA-256 of the content, in hexadecimal. */
  readonly sha256: string;
}

export interface Blob extends StoredBlob {
  /** As given to `put`; null without one. */
  readonly contentType: string | null;
  /**
   * The content, read as it is consumed; consume it fully or destroy it. Fails at its end with `DamagedBlob` if it
   * differs from what was stored, or was removed meanwhile.
   */
  readonly stream: Readable;
}

export interface PutBlobOptions {
  /** Content with more bytes is refused. */
  readonly maxBytes: number;
  readonly contentType?: string;
}

/**
 * Content too large for a record, such as uploaded files. Only a bounded part of it is in memory. The store ends with
 * the process or the connection it was opened on.
 */
export interface BlobStore {
  /**
   * Stores content whole or not at all; durable when it resolves. A key is written once: storing the same content again
   * changes nothing. An error of the content itself is passed on, and nothing is stored.
   * @param key 1 to 200 printable ASCII characters, without spaces.
   * @throws InvalidBlobKey
   * @throws BlobTooLarge
   * @throws BlobExists other content has this key
   * @throws BlobStoreUnavailable the content may have been stored, perhaps in part: then `remove` it
   */
  put(key: string, content: AsyncIterable<Uint8Array>, options: PutBlobOptions): Promise<StoredBlob>;
  /** @throws BlobStoreUnavailable */
  get(key: string): Promise<Blob | undefined>;
  /**
   * Frees the key, and removes what a killed process left of a `put` under it. Removing an unknown key is no error.
   * @throws BlobStoreUnavailable
   */
  remove(key: string): Promise<void>;
}

/** The engine is out of reach, or its disk fails. */
export class BlobStoreUnavailable extends EngineUnavailable {
  override readonly name = "BlobStoreUnavailable";
  override readonly engine = "the blob store";
}

export class BlobTooLarge extends Error {
  override readonly name = "BlobTooLarge";
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    super(`more than ${maxBytes} bytes`);
    this.maxBytes = maxBytes;
  }
}

export class BlobExists extends Error {
  override readonly name = "BlobExists";

  constructor(key: string) {
    super(`${key} is taken by other content`);
  }
}

export class InvalidBlobKey extends Error {
  override readonly name = "InvalidBlobKey";

  constructor() {
    super("a key is 1 to 200 printable ASCII characters, without spaces");
  }
}

export class DamagedBlob extends Error {
  override readonly name = "DamagedBlob";

  constructor(key: string) {
    super(`${key} is not what was stored`);
  }
}
