import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { Socket } from "node:net";
import { ProcessReaper } from "./process-reaper.ts";

/** Generous: the machine may be busy. */
const READY_WITHIN_MS = 60_000;
/** Characters of what it wrote that are kept for the message of a failure. */
const KEPT_OUTPUT = 16 * 1024;

/** It starts only when told so: by then its sweeper knows it, and what nobody watches never runs. */
const START_SCRIPT = 'read -r _ || exit 1; exec "$@" </dev/null';

export interface User {
  readonly uid: number;
  readonly gid: number;
}

export interface ServerProgram {
  readonly command: string;
  readonly args: readonly string[];
  /** Its own, with everything it stores: its working folder, removed when it ends for good. */
  readonly folder: string;
  /** What it writes when it is ready to serve. */
  readonly ready: RegExp;
  /** What ends it for good; KILL unless it has something to tidy up. */
  readonly stopSignal?: "KILL" | "QUIT";
  /** Whom it runs as, where that is not us. */
  readonly user?: User;
}

/** A server of ours in a process of its own. It never outlives us, and never keeps us from ending. */
export class ServerProcess {
  readonly #program: ServerProgram;
  readonly #sweeper: ProcessReaper;
  #process: ChildProcess | undefined;

  private constructor(program: ServerProgram) {
    this.#program = program;
    this.#sweeper = new ProcessReaper(program.folder, program.stopSignal ?? "KILL");
  }

  /** Starts it and waits until it is ready. @throws Error it did not become ready, with what it wrote. */
  static async start(program: ServerProgram): Promise<ServerProcess> {
    const server = new ServerProcess(program);
    try {
      await server.#run();
    } catch (failure) {
      await server.stop();
      throw failure;
    }
    return server;
  }

  /** Of the process that runs now. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** SIGKILL. Resolves when it is gone. */
  async kill(): Promise<void> {
    this.#process?.kill("SIGKILL");
    await this.#gone();
    await this.#sweeper.watch(undefined);
  }

  /** Kills it if need be, and starts it again. @throws Error it did not become ready, with what it wrote. */
  async restart(): Promise<void> {
    await this.kill();
    await this.#run();
  }

  /** Ends it for good and removes its folder. */
  async stop(): Promise<void> {
    await this.#sweeper.reap();
    // All that follows is for nothing, unless somebody has killed the sweeper.
    this.#process?.kill("SIGKILL");
    await this.#gone();
    fs.rmSync(this.#program.folder, { recursive: true, force: true });
  }

  async #run(): Promise<void> {
    const { command, args, folder, user } = this.#program;
    const child = spawn("/bin/sh", ["-c", START_SCRIPT, "sh", command, ...args], {
      cwd: folder,
      env: { PATH: process.env.PATH, LANG: "C", TZ: "UTC" },
      stdio: ["pipe", "pipe", "pipe"],
      ...user,
    });
    this.#process = child;
    // Where it could not even be started, that is told by its "error".
    child.stdin.on("error", () => {});
    const ready = this.#ready(child);
    if (child.pid !== undefined) await this.#sweeper.watch(child.pid);
    child.stdin.end("\n");
    await ready;
    unref(child);
  }

  #ready(child: ChildProcess): Promise<void> {
    let output = "";
    return new Promise((resolve, reject) => {
      const settle = (failure?: string) => {
        clearTimeout(timer);
        if (failure === undefined) resolve();
        else reject(new Error(`${this.#program.command} ${failure}\n${output}`));
      };
      const timer = setTimeout(settle, READY_WITHIN_MS, "did not become ready");
      child.once("error", (failure) => settle(`could not be started: ${failure.message}`));
      // And not "exit": by now all that it wrote is here.
      child.once("close", (code, signal) => settle(`ended (${code ?? signal})`));
      for (const stream of [child.stdout, child.stderr]) {
        stream?.on("data", (chunk) => {
          output = `${output}${chunk}`.slice(-KEPT_OUTPUT);
          if (this.#program.ready.test(output)) settle();
        });
      }
    });
  }

  async #gone(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.ref();
    await once(child, "exit");
  }
}

/** A server that is left running must not keep this process from ending. */
function unref(child: ChildProcess): void {
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr]) if (stream instanceof Socket) stream.unref();
}
