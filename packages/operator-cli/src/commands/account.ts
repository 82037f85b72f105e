import type { Command } from "../command.ts";
import { row, rows } from "../responses.ts";

function accountStatusCommand(verb: "suspend" | "resume", summary: string): Command {
  return {
    name: `account ${verb}`,
    arguments: ["ID"],
    options: {},
    summary,
    async run({ client, output, argument }) {
      const id = encodeURIComponent(argument("ID"));
      await output.value(row(await client.request("POST", `/operator/accounts/${id}/${verb}`)));
    },
  };
}

export const accountCommands: readonly Command[] = [
  {
    name: "account create",
    arguments: [],
    options: { name: { value: "N", required: true } },
    summary: "open an account",
    async run({ client, output, option }) {
      await output.value(row(await client.request("POST", "/operator/accounts", { name: option("name") })));
    },
  },
  {
    name: "account list",
    arguments: [],
    options: {},
    summary: "all accounts",
    async run({ client, output }) {
      await output.list(rows(await client.request("GET", "/operator/accounts")));
    },
  },
  accountStatusCommand("suspend", "refuse every request of an account"),
  accountStatusCommand("resume", "serve a suspended account again"),
];
