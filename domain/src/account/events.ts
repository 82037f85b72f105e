import type { DomainEvent } from "../shared/decision.ts";

/** What a credential may do (docs/rules.md#scopes). Write does not imply read. */
export const SCOPES = [
  "flights:read",
  "bookings:read",
  "bookings:write",
  "passengers:read",
  "passengers:write",
  "payments:read",
  "payments:write",
  "loyalty:read",
  "loyalty:write",
  "events:read",
  "webhooks:read",
  "webhooks:write",
] as const;
export type Scope = (typeof SCOPES)[number];

export type CredentialKind = "api-key" | "oauth-client";

export type AccountOpened = DomainEvent<
  "AccountOpened",
  { readonly accountId: string; readonly name: string; readonly apiVersion: string }
>;
export type AccountSuspended = DomainEvent<"AccountSuspended", { readonly accountId: string }>;
export type AccountResumed = DomainEvent<"AccountResumed", { readonly accountId: string }>;

/** Only a hash of the secret is ever recorded. */
export type CredentialIssued = DomainEvent<
  "CredentialIssued",
  {
    readonly credentialId: string;
    readonly accountId: string;
    readonly kind: CredentialKind;
    readonly name: string | null;
    readonly scopes: readonly Scope[];
    /** SHA-256 of the key or the client secret, base64url. */
    readonly secretHash: string;
    /** The id of an OAuth client; null for an API key. */
    readonly clientId: string | null;
    /** How an API key begins, to tell it from others. Absent: of an OAuth client, or a former release did not record it. */
    readonly prefix?: string;
  }
>;
export type CredentialRevoked = DomainEvent<
  "CredentialRevoked",
  { readonly credentialId: string; readonly accountId: string }
>;

/**
 * The personal words of the account, and of everything it has, are gone for good: their key is destroyed after this
 * event. Its credentials are revoked.
 */
export type AccountErased = DomainEvent<"AccountErased", { readonly accountId: string }>;

export type AccountEvent =
  | AccountOpened
  | AccountSuspended
  | AccountResumed
  | AccountErased
  | CredentialIssued
  | CredentialRevoked;
