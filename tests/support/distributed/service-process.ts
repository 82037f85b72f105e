import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { childEnvironment } from "../child-environment.ts";

const ROOT = resolve(import.meta.dirname, "../../..");
/** Generous: the machine may be busy. Real time. */
const READY_WITHIN_SECONDS = 180;

export type ServiceName = "command-service" | "query-service" | "projector" | "webhook-dispatcher";

export interface ServiceProcessOptions {
  readonly name: ServiceName;
  readonly port: number;
  readonly operatorPort: number;
  readonly env: Readonly<Record<string, string>>;
  /** What follows on its command line. */
  readonly line?: readonly string[];
}

export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** One service in a process of its own, which may be ended and started again at the same port. */
export class ServiceProcess {
  readonly name: ServiceName;
  readonly url: string;
  readonly operatorUrl: string;
  readonly #options: ServiceProcessOptions;
  #process: ChildProcess;
  #ended: Promise<ProcessExit>;
  stdout = "";
  stderr = "";

  private constructor(options: ServiceProcessOptions) {
    this.name = options.name;
    this.url = `http://127.0.0.1:${options.port}`;
    this.operatorUrl = `http://127.0.0.1:${options.operatorPort}`;
    this.#options = options;
    this.#process = this.#spawn();
    this.#ended = ended(this.#process);
  }

  /** Starts it and does not wait. */
  static spawn(options: ServiceProcessOptions): ServiceProcess {
    return new ServiceProcess(options);
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** Resolves when it has ended by itself or by somebody else. */
  get ended(): Promise<ProcessExit> {
    return this.#ended;
  }

  /** @throws Error it ended, or is not ready in time; with what it wrote. */
  async ready(): Promise<void> {
    const giveUpAt = Date.now() + READY_WITHIN_SECONDS * 1_000;
    while (Date.now() < giveUpAt && this.#process.exitCode === null && this.#process.signalCode === null) {
      const response = await fetch(`${this.url}/health/ready`).catch(() => undefined);
      await response?.body?.cancel();
      if (response?.status === 200) return;
      await pause(20);
    }
    throw new Error(`the ${this.name} did not become ready\n${this.stdout}\n${this.stderr}`);
  }

  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<ProcessExit> {
    this.#process.kill(signal);
    return this.#ended;
  }

  /** No chance to finish anything. */
  kill(): Promise<ProcessExit> {
    return this.stop("SIGKILL");
  }

  /** Starts it again; what it wrote before is kept. */
  restart(): void {
    this.#process = this.#spawn();
    this.#ended = ended(this.#process);
  }

  #spawn(): ChildProcess {
    const { name, port, operatorPort, env, line = [] } = this.#options;
    const child = spawn(process.execPath, [`${name}/src/main.ts`, ...line], {
      cwd: ROOT,
      env: {
        ...childEnvironment(),
        START_TIMEOUT_SECONDS: String(READY_WITHIN_SECONDS),
        PORT: String(port),
        OPERATOR_PORT: String(operatorPort),
        ...env,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stdout.on("data", (chunk) => {
      this.stdout += chunk;
    });
    child.stderr.on("data", (chunk) => {
      this.stderr += chunk;
    });
    return child;
  }
}

function ended(child: ChildProcess): Promise<ProcessExit> {
  return once(child, "close").then(([code, signal]) => ({ code, signal }) as ProcessExit);
}
