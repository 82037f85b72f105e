import { readdirSync, readFileSync, writeFileSync } from "node:fs";

/** Of the kernel's accounting, in seconds. */
const TICK = 1 / 100;

/** CPU time in seconds of a process, all its threads, and the processes it has started: user and system. */
export function cpuSeconds(pid: number): number {
  return cpuFields(pid, 11) + childrenOf(pid).reduce((sum, child) => sum + cpuSeconds(child), 0);
}

/** CPU time in seconds of a process by the names of its threads: `MainThread`, `WorkerThread`, `V8Worker`, `libuv-worker`. */
export function cpuByThread(pid: number): Readonly<Record<string, number>> {
  const seconds: Record<string, number> = {};
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const name = readFileSync(`/proc/${pid}/task/${thread}/comm`, "utf8").trim();
    seconds[name] = (seconds[name] ?? 0) + cpuFields(`${pid}/task/${thread}`, 11);
  }
  return seconds;
}

/** CPU time in seconds of the processes that this one has started and that have ended. */
export function cpuOfEndedChildren(): number {
  return cpuFields(process.pid, 13);
}

/** Two fields of `/proc/<task>/stat`, user and system time. The name of the program, in parentheses, may have spaces. */
function cpuFields(task: number | string, at: number): number {
  const fields = readFileSync(`/proc/${task}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  const [user = 0, system = 0] = fields.slice(at, at + 2).map(Number);
  return (user + system) * TICK;
}

/** Processes that this one has started and that run. */
export function childrenOf(pid: number): readonly number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" ").filter(Boolean).map(Number),
  );
}

/** Memory of a process in MB: what is resident, with its share of what others have too; of that what it has for itself. */
export function megabytesOf(pid: number): { readonly resident: number; readonly anonymous: number } {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  const field = (name: string) => Number(new RegExp(`^${name}: +(\\d+) kB$`, "m").exec(rollup)?.[1]) / 1_024;
  return { resident: field("Pss"), anonymous: field("Anonymous") };
}

/** The most memory of a process that was resident since `restartPeak`, or its start, in MB. */
export function peakMegabytes(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024;
}

/** From here on the most resident memory counts anew. */
export function restartPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
}
