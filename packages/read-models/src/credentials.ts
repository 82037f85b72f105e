import type { Scope } from "@travel-booking/domain";
import { parseBody, type ReadModels } from "@travel-booking/engines/read-store";
import { LRUCache } from "lru-cache";
import { ACCOUNTS } from "./accounts.ts";

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

/** Looked up at every request, so it answers synchronously if it can. */
export interface CredentialDirectory {
  /** @param hash of the API key, as `hashSecret` makes it. */
  byApiKeyHash(hash: string): Found | Promise<Found>;
  byClientId(clientId: string): Found | Promise<Found>;
}

/** The body of `accounts.apiKey` and `accounts.client`. */
export function credentialBody(record: CredentialRecord): string {
  return JSON.stringify({ ...record, scopes: [...record.scopes] });
}

function readCredential(json: string): CredentialRecord {
  const stored = parseBody<Omit<CredentialRecord, "scopes"> & { readonly scopes: readonly Scope[] }>({ json });
  return { ...stored, scopes: new Set(stored.scopes) };
}

const MAX_CACHED = 10_000;

interface CachedCredential {
  readonly record: CredentialRecord;
  /** The count of changes before it was read. */
  readonly changeCount: number | undefined;
}

export class ReadModelCredentialDirectory implements CredentialDirectory {
  readonly #models: ReadModels;
  readonly #changeCount: () => number | undefined;
  readonly #cache = new LRUCache<string, CachedCredential>({ max: MAX_CACHED });

  /**
   * @param changeCount increases whenever this thread learns that a read model has changed. As long as it does not, a
   * cached record is answered without reading. Absent: every look-up reads.
   */
  constructor(models: ReadModels, changeCount: () => number | undefined = () => undefined) {
    this.#models = models;
    this.#changeCount = changeCount;
  }

  byApiKeyHash(hash: string): Found | Promise<Found> {
    return this.#find(ACCOUNTS.apiKey.model, hash);
  }

  byClientId(clientId: string): Found | Promise<Found> {
    return this.#find(ACCOUNTS.client.model, clientId);
  }

  #find(model: string, key: string): Found | Promise<Found> {
    const cached = this.#cache.get(key);
    const changeCount = this.#changeCount();
    if (cached !== undefined && changeCount !== undefined && cached.changeCount === changeCount) return cached.record;
    return this.#read(model, key, changeCount);
  }

  async #read(model: string, key: string, changeCount: number | undefined): Promise<Found> {
    const body = await this.#models.body(model, key);
    const record = body && readCredential(body.json);
    if (record !== undefined) this.#cache.set(key, { record, changeCount });
    return record;
  }
}
