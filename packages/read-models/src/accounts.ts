import type { CredentialKind, Scope } from "@travel-booking/domain";
import { parseBody, type ReadModels } from "@travel-booking/engines/read-store";

/** Projection `accounts`: accounts and their credentials. */
export const ACCOUNTS = {
  projection: "accounts",
  version: 4,
  /** By account id. */
  account: {
    model: "accounts.account",
    /** Partition `ALL_PARTITION`, in the order the accounts were opened. */
    all: "all",
  },
  /** `CredentialRow`, by credential id. */
  credential: {
    model: "accounts.credential",
    /** Partition `ALL_PARTITION`, in the order they were issued. */
    all: "all",
    /** The same, one partition per account. */
    byAccount: "byAccount",
  },
  /** For authentication, by the hash of the key. */
  apiKey: { model: "accounts.apiKey" },
  /** For authentication of OAuth clients, by client id. */
  client: { model: "accounts.client" },
} as const;

/** An account as an operator sees it. */
export interface AccountRow {
  readonly id: string;
  readonly name: string;
  readonly status: "active" | "suspended";
}

/** Whether an account is served. One that the read models do not have yet is not. */
export async function isAccountActive(models: Pick<ReadModels, "body">, accountId: string): Promise<boolean> {
  const body = await models.body(ACCOUNTS.account.model, accountId);
  return body !== undefined && parseBody<AccountRow>(body).status === "active";
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
  /** How an API key begins; null: an OAuth client, or one that a former release has issued. */
  readonly prefix: string | null;
  readonly status: "active" | "revoked";
  /** ISO 8601, UTC. */
  readonly createdAt: string;
}

/** Something that has the word that `find` looked for. */
export interface FoundRow {
  readonly kind: "flight" | "account" | "key" | "passenger" | "booking";
  readonly id: string;
  /** Of who or what it is; of a booking, of its passengers. */
  readonly name: string | null;
  /** Null for a flight. */
  readonly accountId: string | null;
  readonly status: string | null;
  /** A flight and a reference, an e-mail address, the kind of a key. */
  readonly about: string | null;
  /** ISO 8601, UTC. */
  readonly createdAt: string | null;
}

/** What is held about a person, as `person find` lists it. `passenger`: the position in a booking. */
export interface PersonRow {
  readonly kind: "passenger" | "booking";
  readonly id: string;
  readonly passenger: number | null;
  readonly name: string;
  readonly status: string | null;
  readonly accountId: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
}

/** A booking that has the word, as `booking find` shows it. */
export interface FoundBooking {
  readonly id: string;
  readonly accountId: string;
  readonly status: string;
  readonly flightId: string;
  readonly passengers: readonly string[];
  readonly reference: string | null;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
}

/** As `find` and `booking find` answer; `isAll`: everything was looked through. */
export interface Found<Row> {
  readonly data: readonly Row[];
  readonly isAll: boolean;
}

/** A credential with its last use, to the minute, as `credential list` shows it; null: never used. */
export interface UsedCredentialRow extends CredentialRow {
  readonly lastUsedAt: string | null;
}
