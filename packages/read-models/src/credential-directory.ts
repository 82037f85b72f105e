import type { ReadModels } from "@travel-booking/engines/read-store";
import { ACCOUNTS } from "./accounts.ts";
import type { CredentialDirectory, CredentialRecord } from "./credential.ts";
import { readCredential } from "./credential-body.ts";

const MAX_CACHED = 10_000;

interface CachedCredential {
  readonly json: Buffer;
  readonly record: CredentialRecord;
  /** What `heard` said when the record was last compared with the read model. */
  changeCount: number | undefined;
}

type Found = CredentialRecord | undefined;

/**
 * Looks credentials up in the read model, at every request. What was parsed is remembered with the bytes it was
 * parsed from, so a record is parsed again only when it has changed.
 */
export class ReadModelCredentialDirectory implements CredentialDirectory {
  readonly #models: ReadModels;
  readonly #changeCount: () => number | undefined;
  /** Least recently parsed first. */
  readonly #cache = new Map<string, CachedCredential>();

  /**
   * @param heard counts up whenever this thread hears that a read model has moved. Between two of those there is
   * nothing new to look for, and a known record is answered at once. Absent: every look-up asks the read model.
   */
  constructor(models: ReadModels, heard: () => number | undefined = () => undefined) {
    this.#models = models;
    this.#changeCount = heard;
  }

  byApiKeyHash(hash: string): Found | Promise<Found> {
    return this.#find(ACCOUNTS.apiKey.model, hash);
  }

  byClientId(clientId: string): Found | Promise<Found> {
    return this.#find(ACCOUNTS.client.model, clientId);
  }

  #find(model: string, key: string): Found | Promise<Found> {
    const known = this.#cache.get(key);
    const heard = this.#changeCount();
    if (known !== undefined && heard !== undefined && known.changeCount === heard) return known.record;
    return this.#lookUp(model, key, heard);
  }

  async #lookUp(model: string, key: string, heard: number | undefined): Promise<Found> {
    const body = await this.#models.body(model, key);
    const known = this.#cache.get(key);
    if (body === undefined) {
      this.#cache.delete(key);
      return undefined;
    }
    if (known?.json.equals(body.json)) {
      known.changeCount = heard;
      return known.record;
    }
    const record = readCredential(body.json);
    this.#cache.delete(key);
    this.#cache.set(key, { json: Buffer.from(body.json), record, changeCount: heard });
    if (this.#cache.size > MAX_CACHED) this.#evictOldest();
    return record;
  }

  #evictOldest(): void {
    for (const key of this.#cache.keys()) {
      this.#cache.delete(key);
      return;
    }
  }
}
