import type { Command } from "../command.ts";

export const streamCommands: readonly Command[] = [
  {
    name: "stream show",
    arguments: ["STREAM"],
    options: {},
    summary: "the events of one stream, as JSON lines",
    async run({ client, output, argument }) {
      const stream = encodeURIComponent(argument("STREAM"));
      for await (const event of client.lines("GET", `/operator/streams/${stream}`)) await output.jsonLine(event);
    },
  },
];
