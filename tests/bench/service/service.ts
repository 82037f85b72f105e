import { randomBytes } from "node:crypto";
import { OperatorClient } from "@travel-booking/operator/client";
import { ROOT, Service as Standalone } from "../../support/service.ts";
import { BENCH_SETTINGS, type BenchService, caughtUp, webhooksDelivered } from "./bench-service.ts";

/** It builds read models of a large log first. Real time. */
const READY_WITHIN_MS = 3_600_000;
const OPERATOR_TOKEN = randomBytes(32).toString("hex");

/** The standalone service in a process of its own, as `npm start` runs it. */
export class Service implements BenchService {
  readonly port: number;
  readonly operator: OperatorClient;
  readonly pid: number;
  /** From the start of the process to the first 200 of `/health/ready`. */
  readonly millisecondsToReady: number;
  readonly #standalone: Standalone;

  private constructor(standalone: Standalone, millisecondsToReady: number) {
    this.#standalone = standalone;
    this.millisecondsToReady = millisecondsToReady;
    this.port = Number(new URL(standalone.baseUrl).port);
    this.pid = standalone.process.pid ?? 0;
    const url = new URL(standalone.operatorUrl);
    this.operator = new OperatorClient(() => ({ url, token: OPERATOR_TOKEN }));
  }

  /**
   * `checkout`: the folder of its code.
   * @throws Error with what the service said, where it does not become ready.
   */
  static async start(
    dataDir: string,
    settings: Readonly<Record<string, string>> = {},
    checkout = ROOT,
  ): Promise<Service> {
    const env = { LOG_LEVEL: "warn", OPERATOR_TOKEN, ...BENCH_SETTINGS, ...settings };
    const startedAt = performance.now();
    const standalone = Standalone.spawn({ checkout, dataDir, env });
    try {
      await standalone.ready(READY_WITHIN_MS);
    } catch (error) {
      await standalone.kill();
      throw error;
    }
    return new Service(standalone, performance.now() - startedAt);
  }

  /** What it has written to standard output. */
  get stdout(): string {
    return this.#standalone.stdout;
  }

  async idle(): Promise<void> {
    await caughtUp(this.operator);
    await webhooksDelivered(this.#standalone.metricsUrl);
  }

  /** @throws Error where the service did not end as it should. */
  async stop(): Promise<void> {
    const { code, stderr } = await this.#standalone.stop();
    if (code !== 0) throw new Error(`the service ended with code ${code}: ${stderr}`);
  }
}
