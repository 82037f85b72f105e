import {
  type AccountEvent,
  type AccountState,
  type Credential,
  evolveAccount,
  type Instant,
  type OpenedAccount,
} from "@travel-booking/domain";
import type { Recorded } from "../recorded.ts";

/** When and where a credential was issued. */
export interface Issue {
  readonly credentialId: string;
  readonly at: Instant;
  readonly position: bigint;
}

/** An account as its projection folds it. */
export interface FoldedAccount {
  readonly account: OpenedAccount;
  readonly issues: readonly Issue[];
}

/** The same as JSON. Free keys stand in lists; positions are text. */
export interface PackedAccount {
  readonly account: Omit<OpenedAccount, "credentials">;
  readonly credentials: readonly (Credential & { readonly issuedAt: Instant; readonly issuedPosition: string })[];
}

export function packAccount({ account, issues }: FoldedAccount): PackedAccount {
  const { credentials, ...facts } = account;
  return {
    account: facts,
    credentials: issues.flatMap(({ credentialId, at, position }) => {
      const credential = credentials.get(credentialId);
      return credential === undefined ? [] : [{ ...credential, issuedAt: at, issuedPosition: String(position) }];
    }),
  };
}

function unpackAccount({ account, credentials }: PackedAccount): FoldedAccount {
  return {
    account: {
      ...account,
      credentials: new Map(
        credentials.map(({ issuedAt: _, issuedPosition: __, ...credential }) => [credential.credentialId, credential]),
      ),
    },
    issues: credentials.map(({ credentialId, issuedAt, issuedPosition }) => ({
      credentialId,
      at: issuedAt,
      position: BigInt(issuedPosition),
    })),
  };
}

/** An account after further events of it, in order. */
export function foldAccount(previous: PackedAccount | undefined, events: readonly Recorded<AccountEvent>[]): FoldedAccount {
  const before = previous === undefined ? undefined : unpackAccount(previous);
  const account = events.reduce<AccountState>(evolveAccount, before?.account ?? { status: "unopened" });
  if (account.status === "unopened") throw new Error("an account without events");
  const issued = events
    .filter((event) => event.type === "CredentialIssued")
    .map(({ data, at, position }) => ({ credentialId: data.credentialId, at, position }));
  return { account, issues: [...(before?.issues ?? []), ...issued] };
}
