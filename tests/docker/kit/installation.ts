import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { childEnvironment } from "../../support/child-environment.ts";

export const ROOT = path.resolve(import.meta.dirname, "../../..");
/** Installed beside any other, and away from its ports. */
const PUBLIC_PORT = "3200";
const LONGEST_MS = 10 * 60_000;

export interface Ran {
  readonly stdout: string;
  readonly stderr: string;
}

/** The installation that these tests make of docker-compose.yml. */
export const installation = {
  url: `http://127.0.0.1:${PUBLIC_PORT}`,

  /** Runs a program in the root folder. @throws Error with what it wrote, where it fails. */
  async run(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ran> {
    try {
      return await promisify(execFile)(program, args, {
        cwd: ROOT,
        env: {
          ...childEnvironment(),
          COMPOSE_PROJECT_NAME: "travel-booking-tests",
          COMPOSE_DISABLE_ENV_FILE: "1",
          SUBNET_PREFIX: "172.30.44",
          PUBLIC_PORT,
          OPERATOR_PORT: "3201",
          GRAFANA_PORT: "3202",
          RATE_LIMIT_PER_MINUTE: "0",
          ...env,
        },
        maxBuffer: 64 * 1024 * 1024,
        timeout: LONGEST_MS,
        killSignal: "SIGKILL",
      });
    } catch (failure) {
      const { stdout = "", stderr = "" } = failure as Partial<Ran>;
      throw new Error(`${program} ${args.join(" ")} failed\n${stdout.slice(-4_000)}\n${stderr.slice(-4_000)}`, {
        cause: failure,
      });
    }
  },

  compose(...args: readonly string[]): Promise<Ran> {
    return installation.run("docker", ["compose", ...args]);
  },

  /** What a program in a container writes. */
  async inside(service: string, ...command: readonly string[]): Promise<string> {
    return (await installation.compose("exec", "-T", service, ...command)).stdout;
  },
};
