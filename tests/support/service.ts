import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { childEnvironment } from "./child-environment.ts";
import { type IssuedKey, OperatorCaller, type OperatorClientResponse } from "./operator-caller.ts";

/** The folder of this code. */
export const ROOT = resolve(import.meta.dirname, "../..");
/** Starts it with what tests simulate. */
const SIMULATING_MAIN = join(import.meta.dirname, "simulating-main.ts");
const NODE = process.execPath;
/** Generous: the machine may be busy. Real time. */
const READY_WITHIN_MS = 60_000;

export interface ServiceOptions {
  /** Another folder of such code, whose service it is. */
  readonly checkout?: string;
  readonly dataDir?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What the service is made to believe; without it, the service is what npm starts. */
  readonly simulated?: { readonly powerCutAt?: string; readonly hangAt?: string; readonly clockAheadSeconds?: number };
  /** What follows `npm start --`. */
  readonly line?: readonly string[];
  /** What starts Node, where it is not to be started directly; Node and its script follow. */
  readonly command?: readonly string[];
}

/** How a service ended. */
export interface ServiceExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The real service in a process of its own, on free ports of 127.0.0.1. */
export class Service {
  readonly dataDir: string;
  readonly process: ChildProcess;
  baseUrl = "";
  operatorUrl = "";
  #stdout = "";
  #stderr = "";
  readonly ended: Promise<ServiceExit>;
  readonly #operator = new OperatorCaller(
    () => this.operatorUrl,
    () => readFileSync(join(this.dataDir, "operator-token"), "utf8").trim(),
  );

  private constructor(dataDir: string, options: ServiceOptions) {
    const { checkout = ROOT, env, simulated, line = [], command = [] } = options;
    const start = startOf(checkout);
    this.dataDir = dataDir;
    const [program = NODE, ...args] = [
      ...command,
      NODE,
      ...(simulated === undefined ? start : [...start.slice(0, -1), SIMULATING_MAIN]),
      ...line,
    ];
    this.process = spawn(program, args, {
      env: {
        ...childEnvironment(),
        // What limits the process must not limit writing the cache.
        ...(command.length > 0 && { NODE_DISABLE_COMPILE_CACHE: "1" }),
        PORT: "0",
        OPERATOR_PORT: "0",
        DEMO: "false",
        DATA_DIR: dataDir,
        ...(simulated && {
          TEST_FAULT_POINT: simulated.powerCutAt ?? "",
          TEST_HANG_POINT: simulated.hangAt ?? "",
          TEST_CLOCK_AHEAD_SECONDS: String(simulated.clockAheadSeconds ?? 0),
        }),
        ...env,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.process.stdout?.on("data", (chunk) => {
      this.#stdout += chunk;
    });
    this.process.stderr?.on("data", (chunk) => {
      this.#stderr += chunk;
    });
    this.ended = once(this.process, "close").then(([code, signal]) => ({
      code: code as number | null,
      signal: signal as NodeJS.Signals | null,
      stdout: this.#stdout,
      stderr: this.#stderr,
    }));
  }

  /** Starts it and does not wait. */
  static spawn(options: ServiceOptions = {}): Service {
    return new Service(options.dataDir ?? newDataDir(), options);
  }

  /** Starts it and waits until it is ready. */
  static async start(options: ServiceOptions = {}): Promise<Service> {
    const service = Service.spawn(options);
    await service.ready();
    return service;
  }

  /** @throws Error it ended, or is not ready in time; with what it wrote. */
  async ready(withinMs = READY_WITHIN_MS): Promise<void> {
    const giveUpAt = Date.now() + withinMs;
    while (Date.now() < giveUpAt) {
      if (this.process.exitCode !== null || this.process.signalCode !== null) break;
      const summary = /base address\s+(\S+)[\s\S]*operator address\s+(\S+)/i.exec(this.#stdout);
      if (summary !== null) {
        this.baseUrl = summary[1] ?? "";
        this.operatorUrl = summary[2] ?? "";
        const response = await fetch(`${this.baseUrl}/health/ready`).catch(() => undefined);
        if (response?.status === 200) return;
      }
      await pause(20);
    }
    throw new Error(`the service did not become ready\n${this.#stdout}\n${this.#stderr}`);
  }

  get metricsUrl(): string {
    return `${this.operatorUrl}/metrics`;
  }

  get stderr(): string {
    return this.#stderr;
  }

  get stdout(): string {
    return this.#stdout;
  }

  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<ServiceExit> {
    this.process.kill(signal);
    return this.ended;
  }

  /** No chance to finish anything. */
  kill(): Promise<ServiceExit> {
    return this.stop("SIGKILL");
  }

  /** All files of its data folder, as text in Latin-1. */
  async dumpStorage(): Promise<string> {
    return readdirSync(this.dataDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
      .join();
  }

  /** Stops it if need be, and forgets its data. */
  async discard(): Promise<void> {
    await this.kill();
    // A browser it has started may be writing its last.
    rmSync(this.dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }

  /** A call of the operator interface; answers the parsed body. */
  operator(method: string, path: string, body?: unknown): Promise<OperatorClientResponse> {
    return this.#operator.call(method, path, body);
  }

  /** A new account with one API key of all scopes, or of those named. */
  newApiKey(scopes?: readonly string[]): Promise<IssuedKey> {
    return this.#operator.newApiKey(scopes);
  }
}

/** What `npm start` gives Node there: options and the script. */
function startOf(checkout: string): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8")) as {
    scripts: { start: string };
  };
  const words = scripts.start.split(" ").slice(1);
  return words.map((word) => (word.startsWith("-") ? word : join(checkout, word)));
}

export function newDataDir(): string {
  return mkdtempSync(join(tmpdir(), "travel-booking-"));
}
