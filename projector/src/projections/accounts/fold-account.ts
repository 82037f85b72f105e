import { type AccountEvent, type AccountState, evolveAccount } from "@travel-booking/domain";
import type { Recorded } from "../recorded.ts";
import type { PackedAccount } from "./packed-account.ts";

/** A copy: what was folded before may still wait to be stored. */
function unpack({ account, credentials }: PackedAccount): AccountState {
  return {
    ...account,
    credentials: new Map(credentials.map(([credential]) => [credential.credentialId, { ...credential }])),
  };
}

/** An account after one more event. */
export function foldAccount(previous: PackedAccount | undefined, event: Recorded<AccountEvent>): PackedAccount {
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
