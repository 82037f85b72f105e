import { amountInCents } from "../arguments.ts";
import type { Command } from "../command.ts";
import { row, rows } from "../responses.ts";

export const transferCommands: readonly Command[] = [
  {
    name: "transfer receive",
    arguments: [],
    options: {
      reference: { value: "R", required: true },
      amount: { value: "CENTS", required: true },
      currency: { value: "C", required: false },
      entry: { value: "ID", required: false },
    },
    summary: "match money that arrived to a pending bank transfer; the same entry twice counts once",
    async run({ client, output, option, optional }) {
      const currency = optional("currency");
      const entryId = optional("entry");
      const body = {
        reference: option("reference"),
        amount: amountInCents(option("amount")),
        ...(currency === undefined ? {} : { currency }),
        ...(entryId === undefined ? {} : { entryId }),
      };
      await output.list(rows(await client.request("POST", "/operator/transfers", body)));
    },
  },
  {
    name: "transfer list",
    arguments: [],
    options: {},
    summary: "money received by bank transfer, and what of it is to be returned",
    async run({ client, output }) {
      await output.list(rows(await client.request("GET", "/operator/transfers")));
    },
  },
  {
    name: "transfer returned",
    arguments: ["ID"],
    options: {},
    summary: "record that a return was sent back",
    async run({ client, output, argument }) {
      const id = encodeURIComponent(argument("ID"));
      await output.value(row(await client.request("POST", `/operator/transfers/${id}/returned`)));
    },
  },
];
