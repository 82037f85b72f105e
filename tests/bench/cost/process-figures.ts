import { readdirSync, readFileSync } from "node:fs";

/** Of the kernel's accounting, in seconds. */
const TICK = 1 / 100;

/** CPU time in seconds of a process, all its threads, and the processes it has started: user and system. */
export function cpuSeconds(pid: number): number {
  return cpuFields(pid, 11) + childrenOf(pid).reduce((sum, child) => sum + cpuSeconds(child), 0);
}

/** CPU time in seconds of the processes that this one has started and that have ended. */
export function cpuOfEndedChildren(): number {
  return cpuFields(process.pid, 13);
}

/** Two fields of `/proc/<pid>/stat`, user and system time. The name of the program, in parentheses, may have spaces. */
function cpuFields(pid: number, at: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  const [user = 0, system = 0] = fields.slice(at, at + 2).map(Number);
  return (user + system) * TICK;
}

function childrenOf(pid: number): readonly number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" ").filter(Boolean).map(Number),
  );
}

/** Memory of a process that is neither shared nor backed by a file, in MB. */
export function anonymousMegabytes(pid: number): number {
  const kilobytes = /^Anonymous: +(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1];
  return Number(kilobytes) / 1_024;
}
