import { afterEach, describe, expect, test } from "@jest/globals";
import type { AccountEvent, Scope } from "@travel-booking/domain";
import { credentialDirectory } from "@travel-booking/read-models";
import { accounts } from "../../src/projections/accounts.ts";
import { closeAll, DELIVERIES, deliver, type GivenEvent, type ProjectedModels } from "./kit/deliver.ts";
import { writtenDocuments } from "./kit/written-documents.ts";

const T0 = Date.UTC(2027, 0, 1);
const SCOPES: readonly Scope[] = ["flights:read", "bookings:read"];

function of(accountId: string, event: AccountEvent): GivenEvent {
  return [`account-${accountId}`, event];
}

function opened(accountId: string): GivenEvent {
  const data = { accountId, name: `name of ${accountId}`, apiVersion: "2026-11-01" };
  return of(accountId, { type: "AccountOpened", at: T0, data });
}

function suspended(accountId: string): GivenEvent {
  return of(accountId, { type: "AccountSuspended", at: T0 + 9, data: { accountId } });
}

function resumed(accountId: string): GivenEvent {
  return of(accountId, { type: "AccountResumed", at: T0 + 10, data: { accountId } });
}

function revoked(accountId: string, credentialId: string): GivenEvent {
  return of(accountId, { type: "CredentialRevoked", at: T0 + 8, data: { accountId, credentialId } });
}

function issued(accountId: string, credentialId: string, clientId: string | null = null): GivenEvent {
  const kind = clientId === null ? "api-key" : "oauth-client";
  const data = {
    credentialId,
    accountId,
    kind,
    name: null,
    scopes: SCOPES,
    secretHash: `hash of ${credentialId}`,
    clientId,
    // Those of former releases have none.
    ...(credentialId === "k3" && { prefix: "tbs_live_Ab3x" }),
  } as const;
  return of(accountId, { type: "CredentialIssued", at: T0 + 1, data });
}

function row(accountId: string, id: string, changes: object = {}) {
  const facts = { id, accountId, kind: "api-key", name: null, scopes: SCOPES, clientId: null };
  const prefix = id === "k3" ? "tbs_live_Ab3x" : null;
  return { ...facts, prefix, status: "active", createdAt: "2027-01-01T00:00:00.001Z", ...changes };
}

function record(accountId: string, credentialId: string, changes: object = {}) {
  return {
    accountId,
    credentialId,
    accountActive: true,
    credentialActive: true,
    scopes: new Set(SCOPES),
    apiVersion: "2026-11-01",
    secretHash: `hash of ${credentialId}`,
    ...changes,
  };
}

test("an event of one credential writes that one's documents, however many there are", () => {
  const credentials = Array.from({ length: 100 }, (_, index) => issued("a", `k${index}`));
  const events = [opened("a"), ...credentials, revoked("a", "k7"), suspended("a")];
  const fixtures = events.map(([stream, event]) => ({ ...event, stream, accountId: null }));
  const counts = writtenDocuments(accounts, fixtures).map((written) => written.length);
  expect(counts).toStrictEqual([1, ...credentials.map(() => 3), 3, 201]);
});

const HISTORY = [opened("a"), issued("a", "k1"), opened("b"), issued("b", "k3"), issued("a", "c1", "client-1")];

describe.each(DELIVERIES)("accounts, delivered %s", (delivery) => {
  let made: ProjectedModels;
  afterEach(closeAll);

  test("are listed with their credentials, without any secret", async () => {
    made = await deliver(accounts, [...HISTORY, revoked("a", "k1")], delivery);
    expect(await made.list("accounts.account", "all", "all")).toStrictEqual([
      { id: "a", name: "name of a", status: "active" },
      { id: "b", name: "name of b", status: "active" },
    ]);
    const client = row("a", "c1", { kind: "oauth-client", clientId: "client-1" });
    expect(await made.list("accounts.credential", "all", "all")).toStrictEqual([
      row("a", "k1", { status: "revoked" }),
      row("b", "k3"),
      client,
    ]);
    expect(await made.list("accounts.credential", "byAccount", "a")).toStrictEqual([
      row("a", "k1", { status: "revoked" }),
      client,
    ]);
    expect(await made.body("accounts.credential", "c1")).toStrictEqual(client);
  });

  test("authenticate by key hash or client id", async () => {
    made = await deliver(accounts, [...HISTORY, revoked("a", "k1")], delivery);
    const directory = credentialDirectory(made.models);
    expect(await directory.byApiKeyHash("hash of k1")).toStrictEqual(record("a", "k1", { credentialActive: false }));
    expect(await directory.byApiKeyHash("hash of k3")).toStrictEqual(record("b", "k3"));
    expect(await directory.byClientId("client-1")).toStrictEqual(record("a", "c1"));
    expect(await directory.byApiKeyHash("hash of c1")).toBeUndefined();
    expect(await directory.byClientId("k1")).toBeUndefined();
  });

  test("a suspension reaches every credential of the account, and no other's; its end too", async () => {
    made = await deliver(accounts, [...HISTORY, suspended("a"), suspended("b"), resumed("b")], delivery);
    const directory = credentialDirectory(made.models);
    expect(await directory.byApiKeyHash("hash of k1")).toStrictEqual(record("a", "k1", { accountActive: false }));
    expect(await directory.byClientId("client-1")).toStrictEqual(record("a", "c1", { accountActive: false }));
    expect(await directory.byApiKeyHash("hash of k3")).toStrictEqual(record("b", "k3"));
    expect(await made.body("accounts.account", "a")).toStrictEqual({ id: "a", name: "name of a", status: "suspended" });
  });
});
