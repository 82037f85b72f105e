import type { Command } from "../command.ts";
import { row } from "../responses.ts";

export const refundCommands: readonly Command[] = [
  {
    name: "refund settle",
    arguments: ["ID"],
    options: {},
    summary: "a pending refund has been paid out",
    async run({ client, output, argument }) {
      const id = encodeURIComponent(argument("ID"));
      await output.value(row(await client.request("POST", `/operator/refunds/${id}/settle`)));
    },
  },
];
