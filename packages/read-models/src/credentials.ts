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
  /** The hash of the API key or the client secret, as `hashSecret` makes it. */
  readonly secretHash: string;
}

type Found = CredentialRecord | undefined;

/** Used at every request, so a look-up returns synchronously if it can. */
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
  /** The number of known changes before the record was read. */
  readonly changes: number | undefined;
}

/**
 * @param changeCount increases whenever this thread learns that a read model has changed. While it stays the same,
 * cached records are used. Absent: every look-up reads.
 */
export function credentialDirectory(
  models: Pick<ReadModels, "body">,
  changeCount: () => number | undefined = () => undefined,
): CredentialDirectory {
  const cache = new LRUCache<string, CachedCredential>({ max: MAX_CACHED });
  async function read(model: string, key: string, changes: number | undefined): Promise<Found> {
    const body = await models.body(model, key);
    const record = body && readCredential(body.json);
    if (record !== undefined) cache.set(key, { record, changes });
    return record;
  }
  function find(model: string, key: string): Found | Promise<Found> {
    const cached = cache.get(key);
    const changes = changeCount();
    return cached !== undefined && changes !== undefined && cached.changes === changes
      ? cached.record
      : read(model, key, changes);
  }
  return {
    byApiKeyHash: (hash) => find(ACCOUNTS.apiKey.model, hash),
    byClientId: (clientId) => find(ACCOUNTS.client.model, clientId),
  };
}
