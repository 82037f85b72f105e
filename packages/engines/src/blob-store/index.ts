import type { Readable } from "node:stream";
import { EngineUnavailable } from "../unavailable.ts";

/** What is known of content that is stored. */
export interface StoredBlob {
  readonly bytes: number;
  /** Of the content, in hexadecimal. */
  readonly sha256: string;
}

export interface Blob extends StoredBlob {
  /** As it was told; null where it was not. */
  readonly contentType: string | null;
  /**
   * The content, read as it is consumed; begun, it is to be consumed or destroyed. Fails at its end with `DamagedBlob`
   * where it is not what was stored, also because it was removed meanwhile.
   */
  readonly stream: Readable;
}

export interface PutBlobOptions {
  /** More than so many bytes are refused. */
  readonly maxBytes: number;
  readonly contentType?: string;
}

/** Content too large for a record, such as uploaded files. However large it is, only a bounded part is in memory. */
export interface BlobStore {
  /**
   * Stores content whole or not at all; durable when it resolves. A key is written once: the same content again changes
   * nothing. Where the content itself fails to be read, that is the error, and nothing is stored.
   * @param key 1 to 200 printable ASCII characters, without spaces.
   * @throws InvalidBlobKey
   * @throws BlobTooLarge
   * @throws BlobExists other content has this key
   * @throws BlobStoreUnavailable it may or may not be stored
   */
  put(key: string, content: AsyncIterable<Uint8Array>, options: PutBlobOptions): Promise<StoredBlob>;
  /** @throws BlobStoreUnavailable */
  get(key: string): Promise<Blob | undefined>;
  /** Its key may be used again. Content that is not there is removed already. @throws BlobStoreUnavailable */
  remove(key: string): Promise<void>;
  /** Finishes what was accepted, and refuses what comes after. */
  close(): Promise<void>;
}

/** The engine is out of reach, or its disk fails. */
export class BlobStoreUnavailable extends EngineUnavailable {
  override readonly name = "BlobStoreUnavailable";
  override readonly engine = "the blob store";
}

/** More content than is taken. */
export class BlobTooLarge extends Error {
  override readonly name = "BlobTooLarge";
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    super(`more than ${maxBytes} bytes`);
    this.maxBytes = maxBytes;
  }
}

/** Other content has this key already. */
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

/** What is stored is not what was put. */
export class DamagedBlob extends Error {
  override readonly name = "DamagedBlob";

  constructor(key: string) {
    super(`${key} is not what was stored`);
  }
}
