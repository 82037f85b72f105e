import type { ReadModels } from "@travel-booking/engines/read-store";
import { ACCOUNTS } from "./accounts.ts";
import type { CredentialDirectory, CredentialRecord } from "./credential.ts";
import { readCredential } from "./credential-body.ts";

const REMEMBERED = 10_000;

interface Parsed {
  readonly json: Buffer;
  readonly record: CredentialRecord;
  /** What `heard` said when the record was last compared with the read model. */
  heard: number | undefined;
}

type Found = CredentialRecord | undefined;

/**
 * Looks credentials up in the read model, at every request. What was parsed is remembered with the bytes it was
 * parsed from, so a record is parsed again only when it has changed.
 */
export class ReadModelCredentialDirectory implements CredentialDirectory {
  readonly #models: ReadModels;
  readonly #heard: () => number | undefined;
  /** Least recently parsed first. */
  readonly #parsed = new Map<string, Parsed>();

  /**
   * @param heard counts up whenever this thread hears that a read model has moved. Between two of those there is
   * nothing new to look for, and a known record is answered at once. Absent: every look-up asks the read model.
   */
  constructor(models: ReadModels, heard: () => number | undefined = () => undefined) {
    this.#models = models;
    this.#heard = heard;
  }

  byApiKeyHash(hash: string): Found | Promise<Found> {
    return this.#find(ACCOUNTS.apiKey.model, hash);
  }

  byClientId(clientId: string): Found | Promise<Found> {
    return this.#find(ACCOUNTS.client.model, clientId);
  }

  #find(model: string, key: string): Found | Promise<Found> {
    const known = this.#parsed.get(key);
    const heard = this.#heard();
    if (known !== undefined && heard !== undefined && known.heard === heard) return known.record;
    return this.#lookUp(model, key, heard);
  }

  async #lookUp(model: string, key: string, heard: number | undefined): Promise<Found> {
    const body = await this.#models.body(model, key);
    const known = this.#parsed.get(key);
    if (body === undefined) {
      this.#parsed.delete(key);
      return undefined;
    }
    if (known?.json.equals(body.json)) {
      known.heard = heard;
      return known.record;
    }
    const record = readCredential(body.json);
    this.#parsed.delete(key);
    this.#parsed.set(key, { json: Buffer.from(body.json), record, heard });
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
