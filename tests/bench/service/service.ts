import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { OperatorClient } from "@travel-booking/operator-cli";
import { freePort } from "./free-port.ts";
import { answersOk } from "./health.ts";

const START = path.resolve(import.meta.dirname, "../../../packages/standalone/start.js");
const OPERATOR_TOKEN = "bench-operator-token";
/** So many that nobody reaches it, while every request is still counted. */
const RATE_LIMIT = 1_000_000_000;

interface ProjectionRow {
  readonly state: string;
  readonly lag: number;
}

/** The standalone service in a process of its own, as `npm start` runs it. */
export class Service {
  readonly port: number;
  readonly operator: OperatorClient;
  /** From the start of the process to the first 200 of `/health/ready`. */
  readonly millisecondsToReady: number;
  readonly #process: ChildProcess;

  private constructor(port: number, operatorPort: number, process_: ChildProcess, millisecondsToReady: number) {
    this.port = port;
    this.#process = process_;
    this.millisecondsToReady = millisecondsToReady;
    const url = new URL(`http://127.0.0.1:${operatorPort}`);
    this.operator = new OperatorClient(() => ({ url, token: OPERATOR_TOKEN }));
  }

  /** @throws Error with what the service said, where it ends before it is ready. */
  static async start(dataFolder: string): Promise<Service> {
    const port = await freePort();
    const operatorPort = await freePort();
    const env = {
      ...process.env,
      PORT: String(port),
      OPERATOR_PORT: String(operatorPort),
      OPERATOR_TOKEN,
      DATA_DIR: dataFolder,
      DEMO: "false",
      RATE_LIMIT_PER_MINUTE: String(RATE_LIMIT),
      LOG_LEVEL: "warn",
    };
    const startedAt = performance.now();
    const child = spawn(process.execPath, [START], { env, stdio: ["ignore", "ignore", "pipe"] });
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-4_000);
    });
    while (!(await answersOk(port, "/health/ready"))) {
      if (child.exitCode !== null) throw new Error(`the service ended with code ${child.exitCode}: ${said}`);
      await delay(1);
    }
    return new Service(port, operatorPort, child, performance.now() - startedAt);
  }

  /** Waits until every read model has folded in all there is: the next round starts with an idle service. */
  async idle(): Promise<void> {
    for (;;) {
      const { data } = (await this.operator.request("GET", "/operator/projections")) as {
        data: readonly ProjectionRow[];
      };
      if (data.some(({ state }) => state === "stopped"))
        throw new Error(`a projection has stopped: ${JSON.stringify(data)}`);
      if (data.every(({ lag }) => lag === 0)) return;
      await delay(50);
    }
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const exited = once(this.#process, "exit");
    this.#process.kill("SIGTERM");
    await exited;
  }
}
