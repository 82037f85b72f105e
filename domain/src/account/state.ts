import { assertNever } from "../shared/assert-never.ts";
import type { AccountEvent, CredentialIssued } from "./events.ts";

type Issued = CredentialIssued["data"];
export interface Credential extends Issued {
  revoked: boolean;
}

export interface OpenedAccount {
  status: "active" | "suspended";
  readonly accountId: string;
  readonly name: string;
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
