import type { CredentialKind, Scope } from "./events.ts";

export interface OpenAccount {
  readonly type: "OpenAccount";
  readonly accountId: string;
  readonly name: string;
  /** The API version its requests are read by where they name none. */
  readonly apiVersion: string;
}

export interface SuspendAccount {
  readonly type: "SuspendAccount";
}

export interface ResumeAccount {
  readonly type: "ResumeAccount";
}

export interface IssueCredential {
  readonly type: "IssueCredential";
  readonly credentialId: string;
  readonly kind: CredentialKind;
  readonly name: string | null;
  readonly scopes: readonly Scope[];
  readonly secretHash: string;
  readonly clientId: string | null;
}

export interface RevokeCredential {
  readonly type: "RevokeCredential";
  readonly credentialId: string;
}

export type AccountCommand = OpenAccount | SuspendAccount | ResumeAccount | IssueCredential | RevokeCredential;
