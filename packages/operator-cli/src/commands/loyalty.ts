import { wholePoints } from "../arguments.ts";
import type { Command } from "../command.ts";
import { row } from "../responses.ts";

export const loyaltyCommands: readonly Command[] = [
  {
    name: "loyalty adjust",
    arguments: [],
    options: {
      account: { value: "ID", required: true },
      points: { value: "N", required: true },
      reason: { value: "R", required: true },
    },
    summary: "add points to an account or, with a negative number, take some",
    async run({ client, output, option }) {
      const body = {
        accountId: option("account"),
        points: wholePoints(option("points")),
        reason: option("reason"),
      };
      await output.value(row(await client.request("POST", "/operator/loyalty/adjustments", body)));
    },
  },
];
