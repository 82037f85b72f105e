import { randomBytes, randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { type DocumentContentType, MAX_DOCUMENT_BYTES } from "@travel-booking/domain";
import type { Blob, BlobStore, PutBlobOptions, StoredBlob } from "@travel-booking/engines/blob-store";
import { ContentMeter } from "@travel-booking/engines/blob-store/content";
import type { StateStore } from "@travel-booking/engines/state-store";
import { scanPrefix } from "@travel-booking/engines/state-store/prefix-scan";
import { type SealedWords, sealContent, sealedSize, unsealContent } from "@travel-booking/read-models/sealed-words";
import type { SealedEventStore } from "../command-handling/sealed-event-store.ts";

const SPACE = "uploads";

/** A file that may become a document. Its record is in the state store until that is settled. */
export interface PendingUpload {
  readonly uploadId: string;
  readonly bookingId: string;
  /** Real time, milliseconds since the epoch. */
  readonly begunAt: number;
}

type UploadRecord = Omit<PendingUpload, "uploadId">;

/** A file and its booking. */
interface UploadedFile {
  readonly uploadId: string;
  readonly bookingId: string;
}

/**
 * The files of documents, each under its own id, sealed under the key of its booking (docs/privacy.md). A record is
 * stored before the first byte, so that files left by a crash are found.
 */
export class UploadStore {
  readonly #blobs: BlobStore;
  readonly #state: StateStore;
  readonly #words: Pick<SealedWords, "keys">;
  readonly #events: Pick<SealedEventStore, "keyForFiles" | "findKey">;

  constructor(
    blobs: BlobStore,
    state: StateStore,
    words: Pick<SealedWords, "keys">,
    events: Pick<SealedEventStore, "keyForFiles" | "findKey">,
  ) {
    this.#blobs = blobs;
    this.#state = state;
    this.#words = words;
    this.#events = events;
  }

  /** @throws StateStoreUnavailable */
  async begin(bookingId: string): Promise<string> {
    const uploadId = `upl_${randomUUID()}`;
    await this.#state.put<UploadRecord>(SPACE, uploadId, { bookingId, begunAt: Date.now() });
    return uploadId;
  }

  /**
   * Stores a file. Returns size and hash of the content, not of the sealed bytes.
   * @throws BlobTooLarge, BlobStoreUnavailable, StateStoreUnavailable, or errors of the content.
   */
  async store(
    { uploadId, bookingId }: UploadedFile,
    accountId: string,
    content: AsyncIterable<Uint8Array>,
    contentType: DocumentContentType,
  ): Promise<StoredBlob> {
    const found = await this.#events.keyForFiles(bookingId, accountId);
    // A file of an erased booking is never read, so any key will do.
    const key = found ?? { id: "", key: randomBytes(32).toString("base64url") };
    const measured = new ContentMeter(content, MAX_DOCUMENT_BYTES);
    await this.#blobs.put(uploadId, sealContent(key, uploadId, measured.read()), sealedLike({ contentType }));
    return measured.result();
  }

  /** @throws BlobStoreUnavailable; reading it also StateStoreUnavailable. */
  async read(uploadId: string): Promise<Readable | undefined> {
    const blob = await this.#blobs.get(uploadId);
    return blob && Readable.from(this.#unsealed(uploadId, blob));
  }

  #unsealed(uploadId: string, { stream }: Blob): AsyncIterable<Uint8Array> {
    return unsealContent((id) => this.#words.keys.find(id), uploadId, stream);
  }

  /**
   * Seals a stored file under the newest key of its booking. The copy beside it is whole before the file is replaced, so this can be
   * repeated after a crash: a copy that it left may be of a former key by then.
   * @throws BlobStoreUnavailable, EventStoreUnavailable, StateStoreUnavailable; the file can't be opened: an error of another kind.
   */
  async sealAnew({ uploadId, bookingId }: UploadedFile): Promise<void> {
    const copyId = `${uploadId}.copy`;
    const key = await this.#events.findKey(bookingId);
    if (!key) return;
    const sealed = (of: Blob) => sealContent(key, uploadId, this.#unsealed(uploadId, of));
    const file = await this.#blobs.get(uploadId);
    if (file !== undefined) {
      await this.#blobs.remove(copyId);
      await this.#blobs.put(copyId, sealed(file), sealedLike(file));
    }
    const copy = await this.#blobs.get(copyId);
    if (copy === undefined) return;
    await this.#blobs.remove(uploadId);
    await this.#blobs.put(uploadId, sealed(copy), sealedLike(copy));
    await this.#blobs.remove(copyId);
  }

  /** Settles the file as that of a document. */
  async complete(uploadId: string): Promise<void> {
    await this.#state.remove(SPACE, uploadId);
  }

  /** Removes a file that will never belong to a document. */
  async discard(uploadId: string): Promise<void> {
    await this.#blobs.remove(uploadId);
    await this.#state.remove(SPACE, uploadId);
  }

  /** Uploads that began before this moment and are not settled, `limit` at most. */
  async listBegunBefore(moment: number, limit: number): Promise<readonly PendingUpload[]> {
    const begun: PendingUpload[] = [];
    for await (const { key, value } of scanPrefix<UploadRecord>(this.#state, SPACE, "")) {
      if (value.begunAt < moment) begun.push({ uploadId: key, ...value });
      if (begun.length === limit) break;
    }
    return begun;
  }
}

/** How a file is stored, sealed. */
function sealedLike({ contentType }: Pick<Blob, "contentType">): PutBlobOptions {
  return { maxBytes: sealedSize(MAX_DOCUMENT_BYTES), ...(contentType !== null && { contentType }) };
}
