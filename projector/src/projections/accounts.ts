import { timestamp } from "@travel-booking/api-contract/bodies";
import {
  type AccountEvent,
  type AccountState,
  type Credential,
  evolveAccount,
  type Instant,
  type OpenedAccount,
} from "@travel-booking/domain";
import {
  ACCOUNTS,
  type AccountRow,
  ALL_PARTITION,
  type CredentialRow,
  credentialBody,
} from "@travel-booking/read-models";
import {
  aggregateIdOf,
  type DocumentPut,
  foldingHandler,
  type Projection,
  placesByCreation,
  type Recorded,
} from "../projection.ts";

const { account, credential, apiKey, client } = ACCOUNTS;
const { model } = account;

/** Accounts and their credentials. */
export const accounts: Projection = {
  name: ACCOUNTS.projection,
  version: ACCOUNTS.version,
  models: {
    [model]: {
      represent: ({ account: { accountId: id, name, status } }: PackedAccount, { created }) => ({
        body: { id, name, status } satisfies AccountRow,
        indexes: placesByCreation(created, { [account.all]: ALL_PARTITION }),
      }),
    },
  },
  handlers: {
    account: foldingHandler<PackedAccount, AccountEvent>(model, aggregateIdOf, foldAccount, changedCredentials),
  },
};

/** When a credential was issued. */
interface Issuance {
  readonly at: Instant;
  /** Log position, as text. */
  readonly position: string;
}

/** The state of an account as JSON. Oldest credential first. */
interface PackedAccount {
  readonly account: Omit<OpenedAccount, "credentials">;
  readonly credentials: readonly (readonly [Credential, Issuance])[];
}

/** A copy, because the packed state may still have to be written. */
function unpack({ account, credentials }: PackedAccount): AccountState {
  return {
    ...account,
    credentials: new Map(credentials.map(([credential]) => [credential.credentialId, { ...credential }])),
  };
}

/** An account after one more event. */
function foldAccount(previous: PackedAccount | undefined, event: Recorded<AccountEvent>): PackedAccount {
  const state = evolveAccount(previous === undefined ? { status: "unopened" } : unpack(previous), event);
  if (state.status === "unopened") throw new Error(`${event.type} leaves the account unopened`);
  const { credentials, ...account } = state;
  const issues = new Map(previous?.credentials.map(([{ credentialId }, issue]) => [credentialId, issue]));
  const issue = { at: event.at, position: String(event.position) };
  return {
    account,
    credentials: Array.from(credentials.values(), (credential) => [
      credential,
      issues.get(credential.credentialId) ?? issue,
    ]),
  };
}

/** The documents of the event's credential; of all credentials for an event of the account, such as a suspension. */
function changedCredentials(
  { data }: Recorded<AccountEvent>,
  { account, credentials }: PackedAccount,
): readonly DocumentPut[] {
  const changed =
    "credentialId" in data
      ? credentials.filter(([{ credentialId }]) => credentialId === data.credentialId)
      : credentials;
  return changed.flatMap(([issued, issue]) => {
    const { credentialId: id, accountId, kind, name, scopes, secretHash, clientId, prefix = null, revoked } = issued;
    const status = revoked ? "revoked" : "active";
    const createdAt = timestamp(issue.at);
    const row: CredentialRow = { id, accountId, kind, name, scopes, clientId, prefix, status, createdAt };
    const record = credentialBody({
      accountId,
      credentialId: id,
      accountActive: account.status === "active",
      credentialActive: !revoked,
      scopes: new Set(scopes),
      apiVersion: account.apiVersion,
      secretHash,
    });
    const created = BigInt(issue.position);
    const indexes = placesByCreation(created, { [credential.all]: ALL_PARTITION, [credential.byAccount]: accountId });
    const key = clientId ?? secretHash;
    return [
      { kind: "put", model: credential.model, key: id, created, body: row, indexes },
      { kind: "put", model: clientId === null ? apiKey.model : client.model, key, created, body: record },
    ];
  });
}
