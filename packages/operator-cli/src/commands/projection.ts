import type { Command } from "../command.ts";
import { row, rows } from "../responses.ts";
import { rebuildProjection } from "./rebuild-projection.ts";

function poisonEventCommand(verb: "retry" | "skip", summary: string): Command {
  return {
    name: `projection ${verb}`,
    arguments: ["NAME"],
    options: {},
    summary,
    async run({ client, output, argument }) {
      const name = encodeURIComponent(argument("NAME"));
      await output.value(row(await client.request("POST", `/operator/projections/${name}/${verb}`)));
    },
  };
}

export const projectionCommands: readonly Command[] = [
  {
    name: "projection list",
    arguments: [],
    options: {},
    summary: "the read models: how far they are, and what stopped them",
    async run({ client, output }) {
      await output.list(rows(await client.request("GET", "/operator/projections")));
    },
  },
  {
    name: "projection rebuild",
    arguments: ["NAME"],
    options: {},
    summary: "build a read model anew beside the live one, then switch to it",
    run: rebuildProjection,
  },
  poisonEventCommand("retry", "try the event again that stopped a projection"),
  poisonEventCommand("skip", "leave out the event that stopped a projection"),
];
