import { parseBody } from "@travel-booking/engines/read-store";
import type { CredentialRecord } from "./credential.ts";

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

export function readCredential(json: Uint8Array): CredentialRecord {
  const stored = parseBody<Stored>({ json });
  return { ...stored, scopes: new Set(stored.scopes) };
}
