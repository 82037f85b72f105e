import type { CredentialDirectory, CredentialRecord } from "@travel-booking/http";
import type { ReadModels } from "@travel-booking/read-store";
import { ACCOUNTS } from "./accounts.ts";
import { readCredential } from "./credential-body.ts";

const REMEMBERED = 10_000;

interface Parsed {
  readonly json: Buffer;
  readonly record: CredentialRecord;
}

/**
 * Looks credentials up in the read model, at every request. What was parsed is remembered with the bytes it was
 * parsed from, so a record is parsed again only when it has changed.
 */
export class ReadModelCredentialDirectory implements CredentialDirectory {
  readonly #models: ReadModels;
  /** Least recently parsed first. */
  readonly #parsed = new Map<string, Parsed>();

  constructor(models: ReadModels) {
    this.#models = models;
  }

  byApiKeyHash(hash: string): Promise<CredentialRecord | undefined> {
    return this.#find(ACCOUNTS.apiKey.model, hash);
  }

  byClientId(clientId: string): Promise<CredentialRecord | undefined> {
    return this.#find(ACCOUNTS.client.model, clientId);
  }

  async #find(model: string, key: string): Promise<CredentialRecord | undefined> {
    const body = await this.#models.body(model, key);
    if (body === undefined) return undefined;
    const known = this.#parsed.get(key);
    if (known?.json.equals(body.json)) return known.record;
    const record = readCredential(body.json);
    this.#parsed.delete(key);
    this.#parsed.set(key, { json: Buffer.from(body.json), record });
    if (this.#parsed.size > REMEMBERED) this.#forgetOldest();
    return record;
  }

  #forgetOldest(): void {
    for (const key of this.#parsed.keys()) {
      this.#parsed.delete(key);
      return;
    }
  }
}
