import { timestamp } from "@travel-booking/api-contract";
import type { Credential } from "@travel-booking/domain";
import { positionSort, type Write } from "@travel-booking/engines/read-store";
import { ACCOUNTS, ALL_PARTITION, type CredentialRow, credentialBody } from "@travel-booking/read-models";
import { wholeDocument } from "../whole-document.ts";
import type { Issuance, PackedAccount } from "./packed-account.ts";

/** The credential as an operator sees it. */
function credentialRowWrite(credential: Credential, issue: Issuance, position: bigint): Write {
  const { credentialId: id, accountId, kind, name, scopes, clientId, revoked } = credential;
  const status = revoked ? "revoked" : "active";
  const row: CredentialRow = { id, accountId, kind, name, scopes, clientId, status, createdAt: timestamp(issue.at) };
  const { model, all, byAccount } = ACCOUNTS.credential;
  const created = BigInt(issue.position);
  const sort = positionSort(created);
  return wholeDocument(model, {
    key: id,
    position,
    created,
    body: JSON.stringify(row),
    indexes: { [all]: { partition: ALL_PARTITION, sort }, [byAccount]: { partition: accountId, sort } },
  });
}

function credentialRecordWrite(
  account: PackedAccount["account"],
  credential: Credential,
  issue: Issuance,
  position: bigint,
): Write {
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
  return wholeDocument(model, { key: clientId ?? secretHash, position, created: BigInt(issue.position), body });
}

/** Every record of an account's credentials: a suspension reaches them all in the same batch. */
export function credentialWrites({ account, credentials }: PackedAccount, position: bigint): Write[] {
  return credentials.flatMap(([credential, issue]) => [
    credentialRowWrite(credential, issue, position),
    credentialRecordWrite(account, credential, issue, position),
  ]);
}
