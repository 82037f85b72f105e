import { durationInSeconds } from "../arguments.ts";
import type { Command } from "../command.ts";
import { row } from "../responses.ts";

export const clockCommands: readonly Command[] = [
  {
    name: "clock show",
    arguments: [],
    options: {},
    summary: "the service's time, and how far it was moved",
    async run({ client, output }) {
      await output.value(row(await client.request("GET", "/operator/clock")));
    },
  },
  {
    name: "clock advance",
    arguments: ["DURATION"],
    options: {},
    summary: "move the service's time forward, such as 20m (s, m, h, d); needs SANDBOX_CLOCK",
    async run({ client, output, argument }) {
      const seconds = durationInSeconds(argument("DURATION"));
      await output.value(row(await client.request("POST", "/operator/clock/advance", { seconds })));
    },
  },
];
