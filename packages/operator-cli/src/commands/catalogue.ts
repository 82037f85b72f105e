import fs from "node:fs";
import { userPath } from "../arguments.ts";
import { OperatorRefused } from "../client/errors.ts";
import type { Command } from "../command.ts";
import { row } from "../responses.ts";

function readJson(file: string): unknown {
  try {
    return JSON.parse(fs.readFileSync(file, "utf8"));
  } catch (error) {
    throw new OperatorRefused([`${file} can't be read as JSON: ${(error as Error).message}`]);
  }
}

export const catalogueCommands: readonly Command[] = [
  {
    name: "catalogue import",
    arguments: ["FILE"],
    options: {},
    summary: "take in destinations and flights from a JSON file; twice changes nothing",
    async run({ client, output, argument }) {
      const catalogue = readJson(userPath(argument("FILE")));
      await output.value(row(await client.request("POST", "/operator/catalogue", catalogue)));
    },
  },
];
