import { ERASED_WORDS } from "../personal-data/words.ts";
import { accept, assertNever, type Decider, type Decision, type Instant, reject } from "../shared/decision.ts";
import type { AccountEvent, CredentialIssued, CredentialKind, Scope } from "./events.ts";

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

/** docs/privacy.md#erasing */
export interface EraseAccount {
  readonly type: "EraseAccount";
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

type AccountCommand = OpenAccount | SuspendAccount | ResumeAccount | EraseAccount | IssueCredential | RevokeCredential;

type Issued = CredentialIssued["data"];
export interface Credential extends Omit<Issued, "name"> {
  name: string | null;
  revoked: boolean;
}

export interface OpenedAccount {
  status: "active" | "suspended";
  readonly accountId: string;
  name: string;
  /** Absent: it has its personal words. */
  erased?: true;
  readonly apiVersion: string;
  readonly credentials: Map<string, Credential>;
}

export type AccountState = { readonly status: "unopened" } | OpenedAccount;

/** Whether requests under this credential are served: it exists, is not revoked, and the account is not suspended. */
export function isCredentialActive(state: AccountState, credentialId: string): boolean {
  return state.status === "active" && state.credentials.get(credentialId)?.revoked === false;
}

/** Folds one event in. Consumes the state: it is changed and returned. */
export function evolveAccount(state: AccountState, event: AccountEvent): AccountState {
  if (event.type === "AccountOpened") {
    const { accountId, name, apiVersion } = event.data;
    return { status: "active", accountId, name, apiVersion, credentials: new Map() };
  }
  if (state.status === "unopened") throw new Error(`${event.type} on an account that was never opened`);
  switch (event.type) {
    case "AccountSuspended":
      state.status = "suspended";
      break;
    case "AccountResumed":
      state.status = "active";
      break;
    case "AccountErased":
      state.status = "suspended";
      state.erased = true;
      state.name = ERASED_WORDS.text;
      for (const credential of state.credentials.values()) {
        credential.revoked = true;
        if (credential.name !== null) credential.name = ERASED_WORDS.text;
      }
      break;
    case "CredentialIssued":
      state.credentials.set(event.data.credentialId, { ...event.data, revoked: false });
      break;
    case "CredentialRevoked": {
      const credential = state.credentials.get(event.data.credentialId);
      if (credential !== undefined) credential.revoked = true;
      break;
    }
    default:
      assertNever(event);
  }
  return state;
}

type AccountRejectionCode = "account_not_found" | "account_erased" | "credential_not_found";

type AccountDecision = Decision<AccountEvent, AccountRejectionCode>;

function decideOpened(command: AccountCommand, account: OpenedAccount, at: Instant): AccountDecision {
  const { accountId } = account;
  switch (command.type) {
    case "OpenAccount":
      return accept();
    case "SuspendAccount":
      return account.status === "suspended" ? accept() : accept({ type: "AccountSuspended", at, data: { accountId } });
    case "EraseAccount":
      return account.erased ? accept() : accept({ type: "AccountErased", at, data: { accountId } });
    case "ResumeAccount":
      if (account.erased) return reject("account_erased");
      return account.status === "active" ? accept() : accept({ type: "AccountResumed", at, data: { accountId } });
    case "IssueCredential": {
      const { type: _, ...credential } = command;
      if (account.erased) return reject("account_erased");
      if (account.credentials.has(credential.credentialId)) return accept();
      return accept({ type: "CredentialIssued", at, data: { ...credential, accountId } });
    }
    case "RevokeCredential": {
      const { credentialId } = command;
      const credential = account.credentials.get(credentialId);
      if (credential === undefined) return reject("credential_not_found");
      return credential.revoked
        ? accept()
        : accept({ type: "CredentialRevoked", at, data: { credentialId, accountId } });
    }
    default:
      return assertNever(command);
  }
}

/** A customer and what may act in its name. Every command may come again; the second time changes nothing. */
export const accountDecider: Decider<AccountCommand, AccountState, AccountEvent, AccountRejectionCode> = {
  initialState: () => ({ status: "unopened" }),
  decide(command, state, at) {
    if (state.status !== "unopened") return decideOpened(command, state, at);
    if (command.type !== "OpenAccount") return reject("account_not_found");
    const { accountId, name, apiVersion } = command;
    return accept({ type: "AccountOpened", at, data: { accountId, name, apiVersion } });
  },
  evolve: evolveAccount,
};
