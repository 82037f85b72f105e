import { timestamp } from "@travel-booking/api-contract";
import { type AccountEvent, type Credential, type OpenedAccount } from "@travel-booking/domain";
import { ACCOUNTS, type AccountRow, ALL, credentialBody, type CredentialRow } from "@travel-booking/read-models";
import { type Document, positionSort, type Write } from "@travel-booking/read-store";
import type { Recorded } from "../recorded.ts";
import { type FoldedAccount, foldAccount, type Issue, type PackedAccount, packAccount } from "./account-state.ts";

function put(model: string, document: Document): Write {
  return { kind: "put", model, document };
}

function accountWrite(folded: FoldedAccount, created: bigint, position: bigint): Write {
  const { accountId: id, name, status } = folded.account;
  const { model, all } = ACCOUNTS.account;
  return put(model, {
    key: id,
    position,
    created,
    body: JSON.stringify({ id, name, status } satisfies AccountRow),
    state: packAccount(folded),
    indexes: { [all]: { partition: ALL, sort: positionSort(created) } },
    staleAt: null,
  });
}

function operatorsWrite(credential: Credential, issue: Issue, position: bigint): Write {
  const { credentialId, accountId, kind, name, scopes, clientId, revoked } = credential;
  const row: CredentialRow = {
    id: credentialId,
    accountId,
    kind,
    name,
    scopes,
    clientId,
    status: revoked ? "revoked" : "active",
    createdAt: timestamp(issue.at),
  };
  const { model, all, byAccount } = ACCOUNTS.credential;
  const sort = positionSort(issue.position);
  return put(model, {
    key: credentialId,
    position,
    created: issue.position,
    body: JSON.stringify(row),
    state: null,
    indexes: { [all]: { partition: ALL, sort }, [byAccount]: { partition: accountId, sort } },
    staleAt: null,
  });
}

function authenticationWrite(account: OpenedAccount, credential: Credential, issue: Issue, position: bigint): Write {
  const { credentialId, accountId, scopes, secretHash, clientId } = credential;
  const body = credentialBody({
    accountId,
    credentialId,
    accountActive: account.status === "active",
    credentialActive: !credential.revoked,
    scopes: new Set(scopes),
    apiVersion: account.apiVersion,
    secretHash,
  });
  const { model } = clientId === null ? ACCOUNTS.apiKey : ACCOUNTS.client;
  const key = clientId ?? secretHash;
  return put(model, { key, position, created: issue.position, body, state: null, indexes: {}, staleAt: null });
}

/** Credentials whose records an event changes: its own, or all of the account. */
function touches(event: AccountEvent, credentialId: string): boolean {
  switch (event.type) {
    case "AccountSuspended":
    case "AccountResumed":
      return true;
    case "CredentialIssued":
    case "CredentialRevoked":
      return event.data.credentialId === credentialId;
    default:
      return false;
  }
}

/** An account and its credentials after further events of the account, in order. */
export function accountWrites(
  previous: Document | undefined,
  events: readonly [Recorded<AccountEvent>, ...Recorded<AccountEvent>[]],
): Write[] {
  const folded = foldAccount(previous?.state as PackedAccount | undefined, events);
  const { position } = events.at(-1) ?? events[0];
  const writes = [accountWrite(folded, previous?.created ?? events[0].position, position)];
  for (const issue of folded.issues) {
    const credential = folded.account.credentials.get(issue.credentialId);
    if (credential === undefined || !events.some((event) => touches(event, issue.credentialId))) continue;
    writes.push(operatorsWrite(credential, issue, position));
    writes.push(authenticationWrite(folded.account, credential, issue, position));
  }
  return writes;
}
