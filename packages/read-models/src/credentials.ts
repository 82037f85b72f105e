import type { Scope } from "@travel-booking/domain";
import { parseBody, type ReadModels } from "@travel-booking/engines/read-store";
import { ACCOUNTS } from "./accounts.ts";

/** What is known about a credential at this moment. */
export interface CredentialRecord {
  readonly accountId: string;
  readonly credentialId: string;
  /** False: suspended. */
  readonly accountActive: boolean;
  /** False: revoked. */
  readonly credentialActive: boolean;
  readonly scopes: ReadonlySet<Scope>;
  /** The version that was current when the account was made, `YYYY-MM-DD`. */
  readonly apiVersion: string;
  /** Of the API key or the client secret, as `hashSecret` makes it. */
  readonly secretHash: string;
}

type Found = CredentialRecord | undefined;

/** Where credentials are looked up, at every request. Answers at once where it can. */
export interface CredentialDirectory {
  /** An API key, by the hash that `hashSecret` makes of it. */
  byApiKeyHash(hash: string): Found | Promise<Found>;
  /** An OAuth client. */
  byClientId(clientId: string): Found | Promise<Found>;
}

/** What authentication needs to know of a credential, as `accounts.apiKey` and `accounts.client` store it. */
export function credentialBody(record: CredentialRecord): string {
  const { accountId, credentialId, accountActive, credentialActive, scopes, apiVersion, secretHash } = record;
  return JSON.stringify({
    accountId,
    credentialId,
    accountActive,
    credentialActive,
    scopes: [...scopes],
    apiVersion,
    secretHash,
  });
}

type Stored = Omit<CredentialRecord, "scopes"> & { readonly scopes: Iterable<never> };

function readCredential(json: Uint8Array): CredentialRecord {
  const stored = parseBody<Stored>({ json });
  return { ...stored, scopes: new Set(stored.scopes) };
}

const MAX_CACHED = 10_000;

interface CachedCredential {
  readonly json: Buffer;
  readonly record: CredentialRecord;
  /** What `heard` said when the record was last compared with the read model. */
  changeCount: number | undefined;
}

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

  byApiKeyHash(hash: string): CredentialRecord | undefined | Promise<CredentialRecord | undefined> {
    return this.#find(ACCOUNTS.apiKey.model, hash);
  }

  byClientId(clientId: string): CredentialRecord | undefined | Promise<CredentialRecord | undefined> {
    return this.#find(ACCOUNTS.client.model, clientId);
  }

  #find(model: string, key: string): CredentialRecord | undefined | Promise<CredentialRecord | undefined> {
    const known = this.#cache.get(key);
    const heard = this.#changeCount();
    if (known !== undefined && heard !== undefined && known.changeCount === heard) return known.record;
    return this.#lookUp(model, key, heard);
  }

  async #lookUp(model: string, key: string, heard: number | undefined): Promise<CredentialRecord | undefined> {
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
