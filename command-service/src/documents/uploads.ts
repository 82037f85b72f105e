import { randomUUID } from "node:crypto";
import { type DocumentContentType, MAX_DOCUMENT_BYTES } from "@travel-booking/domain";
import type { Blob, BlobStore, StoredBlob } from "@travel-booking/engines/blob-store";
import type { StateStore } from "@travel-booking/engines/state-store";

const SPACE = "uploads";

/** A file that is on its way to becoming a document. It stands in the state store until that is settled. */
export interface PendingUpload {
  readonly uploadId: string;
  readonly bookingId: string;
  /** Real time, milliseconds since the epoch. */
  readonly begunAt: number;
}

type UploadRecord = Omit<PendingUpload, "uploadId">;

/**
 * The files of documents, each under an id of its own. Before the first byte is stored there is a record of it, so
 * that whatever a crash leaves behind is found.
 */
export class UploadStore {
  readonly #blobs: BlobStore;
  readonly #state: StateStore;

  constructor(blobs: BlobStore, state: StateStore) {
    this.#blobs = blobs;
    this.#state = state;
  }

  /** @throws StateStoreUnavailable */
  async begin(bookingId: string): Promise<string> {
    const uploadId = `upl_${randomUUID()}`;
    await this.#state.put<UploadRecord>(SPACE, uploadId, { bookingId, begunAt: Date.now() });
    return uploadId;
  }

  /** @throws BlobStoreUnavailable, or what the content throws. */
  store(uploadId: string, content: AsyncIterable<Uint8Array>, contentType: DocumentContentType): Promise<StoredBlob> {
    return this.#blobs.put(uploadId, content, { maxBytes: MAX_DOCUMENT_BYTES, contentType });
  }

  /** @throws BlobStoreUnavailable */
  read(uploadId: string): Promise<Blob | undefined> {
    return this.#blobs.get(uploadId);
  }

  /** The file is a document's. */
  async complete(uploadId: string): Promise<void> {
    await this.#state.remove(SPACE, uploadId);
  }

  /** The file is nobody's, and never will be. */
  async discard(uploadId: string): Promise<void> {
    await this.#blobs.remove(uploadId);
    await this.#state.remove(SPACE, uploadId);
  }

  /** Those not settled that were begun before this moment, `limit` at most. */
  async listBegunBefore(moment: number, limit: number): Promise<readonly PendingUpload[]> {
    const begun: PendingUpload[] = [];
    for (let after: string | undefined; ; ) {
      const page = await this.#state.list<UploadRecord>(SPACE, { limit, ...(after !== undefined && { after }) });
      for (const { key, value } of page) if (value.begunAt < moment) begun.push({ uploadId: key, ...value });
      after = page.at(-1)?.key;
      if (page.length < limit || begun.length >= limit) return begun;
    }
  }
}
