import { parseArgs } from "node:util";

export const USAGE =
  "usage: npm run --silent receiver -- [--port 4000] [--secret whsec_… (repeatable; else WEBHOOK_SECRET)] [--status 204]";

export interface Arguments {
  readonly port: number;
  readonly secrets: readonly string[];
  readonly status: number;
}

/** Undefined if the command line is not valid. */
export function readArguments(line: readonly string[], env: NodeJS.ProcessEnv): Arguments | undefined {
  try {
    const { values } = parseArgs({
      args: [...line],
      options: {
        port: { type: "string", default: "4000" },
        secret: { type: "string", multiple: true },
        status: { type: "string", default: "204" },
      },
    });
    const [port, status] = [Number(values.port), Number(values.status)];
    const secrets = values.secret ?? (env.WEBHOOK_SECRET ? [env.WEBHOOK_SECRET] : []);
    const isUsable =
      Number.isInteger(port) && port >= 0 && port < 65_536 && Number.isInteger(status) && status >= 200 && status < 600;
    return isUsable ? { port, secrets, status } : undefined;
  } catch {
    return undefined;
  }
}
