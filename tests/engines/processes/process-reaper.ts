import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

const SCRIPT = path.join(import.meta.dirname, "reap.sh");

/**
 * Ends a server and removes its folder when we say so, and also when this process ends without a word: a crash,
 * Ctrl-C and SIGKILL included. It is a process of its own, in a session of its own.
 */
export class ProcessReaper {
  readonly #process: ChildProcess;

  /** @param signal what ends the server; SIGKILL follows when it does not help. */
  constructor(folder: string, signal: "KILL" | "QUIT") {
    this.#process = spawn("/bin/sh", [SCRIPT, folder, signal], { stdio: ["pipe", "ignore", "ignore"], detached: true });
    this.#process.unref();
    // Where it cannot be started or somebody has killed it, there is nobody to tell.
    this.#process.on("error", () => {});
    this.#process.stdin?.on("error", () => {});
  }

  /** The server that runs now; undefined: none. Resolves once it is known there. */
  async watch(pid: number | undefined): Promise<void> {
    await new Promise<void>((resolve) => this.#process.stdin?.write(`${pid ?? ""}\n`, () => resolve()));
  }

  /** Resolves when the server has ended and the folder is gone, or there is no sweeper any more to do that. */
  async reap(): Promise<void> {
    const { pid, exitCode, signalCode } = this.#process;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    this.#process.ref();
    const ended = once(this.#process, "exit");
    this.#process.stdin?.end();
    await ended;
  }
}
