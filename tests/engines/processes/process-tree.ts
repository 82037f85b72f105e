import { execFileSync } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { fieldOf } from "./field-of.ts";

const LOOK_AGAIN_MS = 10;

/** Stops a process where it stands, so that it starts no others, and answers those it has started. */
export function suspendAndListChildren(pid: number): readonly number[] {
  process.kill(pid, "SIGSTOP");
  return execFileSync("ps", ["-eo", "pid=,ppid="], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === pid)
    .map(([child = 0]) => child);
}

/** SIGKILL. Resolves when none of them is left. They are no children of ours: nobody tells us. */
export async function killAndWait(pids: readonly number[]): Promise<void> {
  for (const pid of pids) while (kill(pid)) await pause(LOOK_AGAIN_MS);
}

function kill(pid: number): boolean {
  try {
    return process.kill(pid, "SIGKILL");
  } catch (failure) {
    if (fieldOf(failure, "code") === "ESRCH") return false;
    throw failure;
  }
}
