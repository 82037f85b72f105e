import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { childEnvironment } from "../../support/child-environment.ts";

const ROOT = resolve(import.meta.dirname, "../../..");
const WITHIN_MS = 60_000;

/** A service under `npm start`, in a process group of its own. */
export interface NpmService {
  readonly npm: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** The process of the service itself. */
  readonly servicePid: number;
  readonly baseUrl: string;
  /** Real milliseconds until nothing listens and the process is gone. @throws Error it goes on. */
  waitForExit(): Promise<number>;
}

/** @param before of the shell that becomes npm, such as `ulimit`. */
export async function npmStart(env: Readonly<Record<string, string>>, before = ":"): Promise<NpmService> {
  const options = { cwd: ROOT, env: { ...childEnvironment(), ...env }, detached: true } as const;
  const npm = spawn("sh", ["-c", `${before}; exec npm start`], options);
  let stdout = "";
  let stderr = "";
  npm.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  npm.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const ready = await eventually(
    () => /base address\s+(\S+)/.exec(stdout)?.[1],
    () => `${stdout}\n${stderr}`,
  );
  const servicePid = await eventually(
    () => serviceIn(npm.pid ?? 0),
    () => "no such process",
  );
  return {
    npm,
    stdout: () => stdout,
    stderr: () => stderr,
    servicePid,
    baseUrl: ready,
    async waitForExit() {
      const from = performance.now();
      await eventually(
        () => (exists(servicePid) ? undefined : true),
        () => stderr,
      );
      return performance.now() - from;
    },
  };
}

/** The process of a group that runs the service. */
function serviceIn(group: number): number | undefined {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .find((pid) => groupOf(pid) === group && commandOf(pid).some((word) => word.endsWith("start.js")) && !isShell(pid));
}

const isShell = (pid: number) => (commandOf(pid)[0] ?? "").endsWith("sh");

function commandOf(pid: number): readonly string[] {
  return read(`/proc/${pid}/cmdline`).split("\0");
}

function groupOf(pid: number): number {
  const stat = read(`/proc/${pid}/stat`);
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[2]);
}

/** A process that has ended but was not waited for is gone, too. */
export function exists(pid: number): boolean {
  const stat = read(`/proc/${pid}/stat`);
  return stat !== "" && stat.slice(stat.lastIndexOf(")") + 2)[0] !== "Z";
}

function read(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return "";
  }
}

async function eventually<Value>(look: () => Value | undefined, explain: () => string): Promise<Value> {
  const giveUpAt = performance.now() + WITHIN_MS;
  while (performance.now() < giveUpAt) {
    const value = look();
    if (value !== undefined) return value;
    await pause(20);
  }
  throw new Error(`it did not happen: ${explain()}`);
}
