import type { CredentialKind, Scope } from "@travel-booking/domain";

/** An account as an operator sees it. */
export interface AccountRow {
  readonly id: string;
  readonly name: string;
  readonly status: "active" | "suspended";
}

/** A credential as an operator sees it: no secret, and no hash of one. */
export interface CredentialRow {
  readonly id: string;
  readonly accountId: string;
  readonly kind: CredentialKind;
  readonly name: string | null;
  readonly scopes: readonly Scope[];
  /** Of an OAuth client; null for an API key. */
  readonly clientId: string | null;
  readonly status: "active" | "revoked";
  /** ISO 8601, UTC. */
  readonly createdAt: string;
}
