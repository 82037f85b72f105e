import { assertNever } from "../shared/assert-never.ts";
import { accept, type Decider, type Decision, type Instant, reject } from "../shared/decision.ts";
import type { AccountCommand } from "./commands.ts";
import type { AccountEvent } from "./events.ts";
import { type AccountState, evolveAccount, type OpenedAccount } from "./state.ts";

export type AccountRejectionCode = "account_not_found" | "credential_not_found";

type AccountDecision = Decision<AccountEvent, AccountRejectionCode>;

function decideOpened(command: AccountCommand, account: OpenedAccount, at: Instant): AccountDecision {
  const { accountId } = account;
  switch (command.type) {
    case "OpenAccount":
      return accept();
    case "SuspendAccount":
      return account.status === "suspended" ? accept() : accept({ type: "AccountSuspended", at, data: { accountId } });
    case "ResumeAccount":
      return account.status === "active" ? accept() : accept({ type: "AccountResumed", at, data: { accountId } });
    case "IssueCredential": {
      const { type: _, ...credential } = command;
      if (account.credentials.has(credential.credentialId)) return accept();
      return accept({ type: "CredentialIssued", at, data: { ...credential, accountId } });
    }
    case "RevokeCredential": {
      const { credentialId } = command;
      const credential = account.credentials.get(credentialId);
      if (credential === undefined) return reject("credential_not_found");
      return credential.revoked
        ? accept()
        : accept({ type: "CredentialRevoked", at, data: { credentialId, accountId } });
    }
    default:
      return assertNever(command);
  }
}

/** A customer and what may act in its name. Every command may come again; the second time changes nothing. */
export const accountDecider: Decider<AccountCommand, AccountState, AccountEvent, AccountRejectionCode> = {
  initialState: () => ({ status: "unopened" }),
  decide(command, state, at) {
    if (state.status !== "unopened") return decideOpened(command, state, at);
    if (command.type !== "OpenAccount") return reject("account_not_found");
    const { accountId, name, apiVersion } = command;
    return accept({ type: "AccountOpened", at, data: { accountId, name, apiVersion } });
  },
  evolve: evolveAccount,
};
