import { describe, expect, test } from "@jest/globals";
import { type AccountEvent, accountDecider, isCredentialActive } from "../src/index.ts";
import { specification } from "./shared/specification.ts";

const given = specification(accountDecider);
const accountId = "acc_1";
const credential = {
  credentialId: "crd_1",
  kind: "api-key",
  name: "till",
  scopes: ["flights:read"],
  secretHash: "c2VjcmV0",
  clientId: null,
} as const;
const open = { type: "OpenAccount", accountId, name: "Acme", apiVersion: "2026-11-01" } as const;
const issue = { type: "IssueCredential", ...credential } as const;
const revoke = { type: "RevokeCredential", credentialId: "crd_1" } as const;

const opened: AccountEvent = {
  type: "AccountOpened",
  at: 1,
  data: { accountId, name: "Acme", apiVersion: "2026-11-01" },
};
const suspended: AccountEvent = { type: "AccountSuspended", at: 1, data: { accountId } };
const resumed: AccountEvent = { type: "AccountResumed", at: 1, data: { accountId } };
const issued: AccountEvent = { type: "CredentialIssued", at: 1, data: { ...credential, accountId } };
const revoked: AccountEvent = { type: "CredentialRevoked", at: 1, data: { credentialId: "crd_1", accountId } };

describe("an account", () => {
  test("is opened once", () => {
    given([]).when(open, 1).then([opened]);
    given([opened]).when(open, 2).then([]);
  });

  test("is suspended and resumed, each once", () => {
    given([opened]).when({ type: "SuspendAccount" }, 1).then([suspended]);
    given([opened, suspended]).when({ type: "SuspendAccount" }, 1).then([]);
    given([opened, suspended]).when({ type: "ResumeAccount" }, 1).then([resumed]);
    given([opened]).when({ type: "ResumeAccount" }, 1).then([]);
  });

  test("gets credentials, suspended or not; the same one again changes nothing", () => {
    given([opened]).when(issue, 1).then([issued]);
    given([opened, suspended]).when(issue, 1).then([issued]);
    given([opened, issued]).when(issue, 2).then([]);
    given([opened, issued, revoked]).when(issue, 2).then([]);
  });

  test("revokes a credential it has, once", () => {
    given([opened, issued]).when(revoke, 1).then([revoked]);
    given([opened, issued, revoked]).when(revoke, 2).then([]);
    given([opened]).when(revoke, 1).thenRejected({ code: "credential_not_found" });
  });

  test("must have been opened", () => {
    for (const command of [{ type: "SuspendAccount" }, { type: "ResumeAccount" }, issue, revoke] as const)
      given([]).when(command, 1).thenRejected({ code: "account_not_found" });
    expect(() => given([suspended]).state()).toThrow("AccountSuspended on an account that was never opened");
  });
});

describe("a credential is active", () => {
  test.each<[boolean, readonly AccountEvent[]]>([
    [false, []],
    [false, [opened]],
    [true, [opened, issued]],
    [false, [opened, issued, suspended]],
    [true, [opened, issued, suspended, resumed]],
    [false, [opened, issued, revoked]],
    [false, [opened, issued, suspended, revoked, resumed]],
  ])("%j after %j", (active, events) => {
    expect(isCredentialActive(given(events).state(), "crd_1")).toBe(active);
  });
});
