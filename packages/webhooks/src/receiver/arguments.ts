import { parseArgs } from "node:util";
import type { ReceiverOptions } from "./receiver.ts";

export const USAGE =
  "usage: npm run --silent receiver -- [--port 4000] [--secret whsec_… (repeatable; else WEBHOOK_SECRET)] [--status 204 [--every N]] [--verbose]";

/** Undefined if the command line is not valid. */
export function readArguments(
  line: readonly string[],
  env: NodeJS.ProcessEnv,
): Omit<ReceiverOptions, "print"> | undefined {
  try {
    const { values } = parseArgs({
      args: [...line],
      options: {
        port: { type: "string", default: "4000" },
        secret: { type: "string", multiple: true },
        status: { type: "string", default: "204" },
        every: { type: "string", default: "1" },
        verbose: { type: "boolean", default: false },
      },
    });
    const [port, status, every] = [Number(values.port), Number(values.status), Number(values.every)];
    const secrets = values.secret ?? (env.WEBHOOK_SECRET ? [env.WEBHOOK_SECRET] : []);
    const isWithin = (value: number, least: number, most: number) =>
      Number.isInteger(value) && value >= least && value <= most;
    const isUsable = isWithin(port, 0, 65_535) && isWithin(status, 200, 599) && isWithin(every, 1, 1_000_000);
    return isUsable ? { port, secrets, status, every, verbose: values.verbose } : undefined;
  } catch {
    return undefined;
  }
}
