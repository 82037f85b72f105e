import { readdirSync, readFileSync } from "node:fs";

/** Of the kernel's accounting, in seconds. */
const TICK = 1 / 100;

/** CPU time in seconds of a process, all its threads, and the processes it has started: user and system. */
export function cpuSeconds(pid: number): number {
  // The name of the program, in parentheses, may have spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  const [user = 0, system = 0] = fields.slice(11, 13).map(Number);
  return (user + system) * TICK + childrenOf(pid).reduce((sum, child) => sum + cpuSeconds(child), 0);
}

function childrenOf(pid: number): readonly number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" ").filter(Boolean).map(Number),
  );
}
