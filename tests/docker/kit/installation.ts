import { execFile } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { childEnvironment } from "../../support/child-environment.ts";

export const ROOT = path.resolve(import.meta.dirname, "../../..");
const LONGEST_MS = 10 * 60_000;
const MONTH_MS = 30 * 86_400_000;

export interface Ran {
  readonly stdout: string;
  readonly stderr: string;
}

/** An installation of docker-compose.yml, beside any other and away from its ports: one at a time. */
export class Installation {
  readonly url: string;
  readonly #environment: Readonly<Record<string, string>>;

  /** @param publicPort the operator's is the next one. */
  constructor(project: string, publicPort: number) {
    this.url = `http://127.0.0.1:${publicPort}`;
    this.#environment = {
      COMPOSE_PROJECT_NAME: project,
      COMPOSE_DISABLE_ENV_FILE: "1",
      SUBNET_PREFIX: "172.30.44",
      PUBLIC_PORT: String(publicPort),
      OPERATOR_PORT: String(publicPort + 1),
      GRAFANA_PORT: String(publicPort + 2),
      RATE_LIMIT_PER_MINUTE: "0",
    };
  }

  /**
   * Runs a program in the root folder.
   * @param onLine gets each line that it writes, when it does.
   * @throws Error with what it wrote, where it fails.
   */
  async run(
    program: string,
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
    onLine: (line: string) => void = () => undefined,
  ): Promise<Ran> {
    const running = promisify(execFile)(program, args, {
      cwd: ROOT,
      env: { ...childEnvironment(), ...this.#environment, ...env },
      maxBuffer: 64 * 1024 * 1024,
      timeout: LONGEST_MS,
      killSignal: "SIGKILL",
    });
    if (running.child.stdout !== null) createInterface({ input: running.child.stdout }).on("line", onLine);
    try {
      return await running;
    } catch (failure) {
      const { stdout = "", stderr = "" } = failure as Partial<Ran>;
      throw new Error(`${program} ${args.join(" ")} failed\n${stdout.slice(-4_000)}\n${stderr.slice(-4_000)}`, {
        cause: failure,
      });
    }
  }

  compose(...args: readonly string[]): Promise<Ran> {
    return this.run("docker", ["compose", ...args]);
  }

  /** What a program in a container writes. */
  async inside(service: string, ...command: readonly string[]): Promise<string> {
    return (await this.compose("exec", "-T", service, ...command)).stdout;
  }

  /** Of a new account. */
  async newApiKey(): Promise<string> {
    const tbs = async (...line: readonly string[]) =>
      JSON.parse(await this.inside("command-service", "tbs", ...line, "--json"));
    const { id } = await tbs("account", "create", "--name", "Tests");
    return (await tbs("credential", "create", "--account", id, "--kind", "api-key")).apiKey;
  }

  api(apiKey: string, place: string, init: RequestInit = {}): Promise<Response> {
    const headers = { "x-api-key": apiKey, "content-type": "application/json", ...init.headers };
    return fetch(`${this.url}/v1${place}`, { ...init, headers });
  }

  /** Of Ada, on a flight in a month or later. */
  async newBooking(apiKey: string): Promise<string> {
    const after = new Date(Date.now() + MONTH_MS).toISOString().slice(0, 10);
    const flights = await this.api(apiKey, `/flights?limit=1&departsAfter=${after}`);
    const { data } = (await flights.json()) as { data: readonly { id: string }[] };
    const passengers = [{ name: "Ada Lovelace", email: "ada@example.com" }];
    const body = JSON.stringify({ flightId: data[0]?.id, cabin: "economy", passengers });
    const made = await this.api(apiKey, "/bookings", { method: "POST", body });
    return ((await made.json()) as { id: string }).id;
  }
}
