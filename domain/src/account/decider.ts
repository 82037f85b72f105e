import { ERASED_WORDS } from "../personal-data/words.ts";
import {
  accept,
  assertNever,
  type Command,
  type Decider,
  type Decision,
  type Handlers,
  handle,
  type Instant,
  reject,
} from "../shared/decision.ts";
import type { AccountEvent, AccountOpened, CredentialIssued } from "./events.ts";

type Issued = CredentialIssued["data"];

/** `apiVersion`: the version of requests that name none. */
type OpenAccount = Command<"OpenAccount", AccountOpened["data"]>;
type SuspendAccount = Command<"SuspendAccount">;
type ResumeAccount = Command<"ResumeAccount">;
/** docs/privacy.md#erasing */
type EraseAccount = Command<"EraseAccount">;
type IssueCredential = Command<"IssueCredential", Omit<Issued, "accountId">>;
type RevokeCredential = Command<"RevokeCredential", Pick<Issued, "credentialId">>;
type AccountCommand = OpenAccount | SuspendAccount | ResumeAccount | EraseAccount | IssueCredential | RevokeCredential;

export interface Credential extends Omit<Issued, "name"> {
  name: string | null;
  revoked: boolean;
}

export interface OpenedAccount {
  status: "active" | "suspended";
  readonly accountId: string;
  name: string;
  /** Absent: its personal words are still there. */
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

const HANDLERS: Handlers<AccountCommand, [account: OpenedAccount, at: Instant], AccountDecision> = {
  OpenAccount: () => accept(),
  SuspendAccount: (_, { status, accountId }, at) =>
    status === "suspended" ? accept() : accept({ type: "AccountSuspended", at, data: { accountId } }),
  EraseAccount: (_, { erased, accountId }, at) =>
    erased ? accept() : accept({ type: "AccountErased", at, data: { accountId } }),
  ResumeAccount(_, { erased, status, accountId }, at) {
    if (erased) return reject("account_erased");
    return status === "active" ? accept() : accept({ type: "AccountResumed", at, data: { accountId } });
  },
  IssueCredential({ type: _, ...credential }, { erased, credentials, accountId }, at) {
    if (erased) return reject("account_erased");
    if (credentials.has(credential.credentialId)) return accept();
    return accept({ type: "CredentialIssued", at, data: { ...credential, accountId } });
  },
  RevokeCredential({ credentialId }, { credentials, accountId }, at) {
    const credential = credentials.get(credentialId);
    if (credential === undefined) return reject("credential_not_found");
    return credential.revoked ? accept() : accept({ type: "CredentialRevoked", at, data: { credentialId, accountId } });
  },
};

/** A customer and what may act in its name. Every command may be repeated; the second time changes nothing. */
export const accountDecider: Decider<AccountCommand, AccountState, AccountEvent, AccountRejectionCode> = {
  initialState: () => ({ status: "unopened" }),
  decide(command, state, at) {
    if (state.status !== "unopened") return handle(HANDLERS, command, state, at);
    if (command.type !== "OpenAccount") return reject("account_not_found");
    const { accountId, name, apiVersion } = command;
    return accept({ type: "AccountOpened", at, data: { accountId, name, apiVersion } });
  },
  evolve: evolveAccount,
};
