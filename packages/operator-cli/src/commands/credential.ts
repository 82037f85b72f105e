import { oneOf, wordsOf } from "../arguments.ts";
import type { Command } from "../command.ts";
import { row, rows } from "../responses.ts";

const KINDS = ["api-key", "oauth-client"] as const;

export const credentialCommands: readonly Command[] = [
  {
    name: "credential create",
    arguments: [],
    options: {
      account: { value: "ID", required: true },
      kind: { value: KINDS.join("|"), required: true },
      scopes: { value: '"a b"', required: false },
      name: { value: "N", required: false },
    },
    summary: "an API key or an OAuth client; its secret is shown once; no scopes: all",
    async run({ client, output, option, optional }) {
      const scopes = optional("scopes");
      const name = optional("name");
      const body = {
        accountId: option("account"),
        kind: oneOf(KINDS, option("kind"), "--kind"),
        ...(scopes === undefined ? {} : { scopes: wordsOf(scopes, "--scopes") }),
        ...(name === undefined ? {} : { name }),
      };
      await output.value(row(await client.request("POST", "/operator/credentials", body)));
    },
  },
  {
    name: "credential list",
    arguments: [],
    options: {},
    summary: "all credentials, without their secrets",
    async run({ client, output }) {
      await output.list(rows(await client.request("GET", "/operator/credentials")));
    },
  },
  {
    name: "credential revoke",
    arguments: ["ID"],
    options: {},
    summary: "end a credential for good",
    async run({ client, output, argument }) {
      const id = encodeURIComponent(argument("ID"));
      await output.value(row(await client.request("DELETE", `/operator/credentials/${id}`)));
    },
  },
];
