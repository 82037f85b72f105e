import type { Scope } from "@travel-booking/domain";

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
