import { timestamp } from "@travel-booking/api-contract";
import type { Credential } from "@travel-booking/domain";
import { ACCOUNTS, ALL, type CredentialRow, credentialBody } from "@travel-booking/read-models";
import { positionSort, type Write } from "@travel-booking/read-store";
import type { Issue, PackedAccount } from "./packed-account.ts";

/** The credential as an operator sees it. */
function operatorsWrite(credential: Credential, issue: Issue, position: bigint): Write {
  const { credentialId: key, accountId, kind, name, scopes, clientId, revoked } = credential;
  const row: CredentialRow = {
    id: key,
    accountId,
    kind,
    name,
    scopes,
    clientId,
    status: revoked ? "revoked" : "active",
    createdAt: timestamp(issue.at),
  };
  const { model, all, byAccount } = ACCOUNTS.credential;
  const sort = positionSort(BigInt(issue.position));
  const indexes = { [all]: { partition: ALL, sort }, [byAccount]: { partition: accountId, sort } };
  return {
    kind: "put",
    model,
    document: { key, position, body: JSON.stringify(row), state: null, indexes, staleAt: null },
  };
}

function authenticationWrite(account: PackedAccount["account"], credential: Credential, position: bigint): Write {
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
  return { kind: "put", model, document: { key, position, body, state: null, indexes: {}, staleAt: null } };
}

/** Every record of an account's credentials: a suspension reaches them all in the same batch. */
export function credentialWrites({ account, credentials }: PackedAccount, position: bigint): Write[] {
  return credentials.flatMap(([credential, issue]) => [
    operatorsWrite(credential, issue, position),
    authenticationWrite(account, credential, position),
  ]);
}
