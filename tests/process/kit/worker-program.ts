import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline";

const PACKAGES = resolve(import.meta.dirname, "../../../packages");

/** A reader or a printer that runs apart, as its container starts it. */
export class WorkerProgram {
  readonly process: ChildProcess;

  private constructor(process: ChildProcess) {
    this.process = process;
  }

  /** Resolves when it takes connections. @param name of its package. @param env all that it gets. */
  static async start(name: string, env: Readonly<Record<string, string>>): Promise<WorkerProgram> {
    const child = spawn(process.execPath, ["--disable-sigusr1", resolve(PACKAGES, name, "src/main.ts")], {
      env,
      stdio: ["ignore", "ignore", "pipe"],
    });
    const lines: string[] = [];
    for await (const line of createInterface({ input: child.stderr })) {
      lines.push(line);
      if (line.includes('"it takes connections"')) {
        child.stderr.resume();
        return new WorkerProgram(child);
      }
    }
    throw new Error(`it takes no connections\n${lines.join("\n")}`);
  }

  /** Processes that it has started, as the kernel tells. */
  get children(): readonly number[] {
    const { pid } = this.process;
    const listed = readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").trim();
    return listed === "" ? [] : listed.split(" ").map(Number);
  }

  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<number | null> {
    if (this.process.exitCode === null && this.process.signalCode === null) {
      this.process.kill(signal);
      await once(this.process, "exit");
    }
    return this.process.exitCode;
  }
}
