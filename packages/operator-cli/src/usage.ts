import type { Command } from "./command.ts";

function synopsis(command: Command): string {
  const options = Object.entries(command.options).map(([name, { value, required }]) =>
    required ? `--${name} ${value}` : `[--${name} ${value}]`,
  );
  return [command.name, ...command.arguments, ...options].join(" ");
}

/** How to call the given commands, two lines each. */
export function usage(commands: readonly Command[]): string {
  return [
    "usage: npm run --silent operator -- <command> [--json]",
    "",
    ...commands.map((command) => `  ${synopsis(command)}\n      ${command.summary}`),
    "",
    "The service is found through OPERATOR_URL and OPERATOR_TOKEN, else through DATA_DIR (./data).",
  ].join("\n");
}
