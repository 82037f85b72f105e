import { userPath } from "../arguments.ts";
import type { Command } from "../command.ts";
import { row } from "../responses.ts";

export const backupCommands: readonly Command[] = [
  {
    name: "backup",
    arguments: ["PATH"],
    options: {},
    summary: "a consistent copy of the embedded stores, while running",
    async run({ client, output, argument }) {
      const path = userPath(argument("PATH"));
      await output.value(row(await client.request("POST", "/operator/backup", { path })));
    },
  },
];
