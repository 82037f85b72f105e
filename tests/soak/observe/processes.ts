import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { childrenOf, megabytesOf } from "../../bench/cost/process-figures.ts";

/** A process that this one, or one of those it has started, has started. */
export interface RunningProcess {
  readonly pid: number;
  readonly name: string;
  /** Where it works; a server has its data there. */
  readonly folder: string;
}

export interface ProcessFigures {
  /** In all processes of the name together. */
  readonly residentMb: number;
  readonly anonymousMb: number;
  readonly openFiles: number;
}

/** What sweeps up after servers of tests is none of them. */
const HELPERS = new Set(["sh", "sleep"]);

/** Parents before their children. */
export function runningProcesses(): readonly RunningProcess[] {
  return descendantsOf(process.pid).flatMap((pid) => unlessGone(() => describe(pid)) ?? []);
}

/** By name. */
export function processFigures(): ReadonlyMap<string, ProcessFigures> {
  const figures = new Map<string, ProcessFigures>();
  for (const { pid, name } of runningProcesses()) {
    const sum = figures.get(name) ?? { residentMb: 0, anonymousMb: 0, openFiles: 0 };
    const added = unlessGone(() => {
      const { resident, anonymous } = megabytesOf(pid);
      return {
        residentMb: sum.residentMb + resident,
        anonymousMb: sum.anonymousMb + anonymous,
        openFiles: sum.openFiles + readdirSync(`/proc/${pid}/fd`).length,
      };
    });
    if (added !== undefined) figures.set(name, added);
  }
  return figures;
}

/** Of all files in a folder. */
export function megabytesIn(folder: string): number {
  const files = unlessGone(() => readdirSync(folder, { recursive: true, withFileTypes: true })) ?? [];
  const sizes = files.map((file) =>
    file.isFile() ? (unlessGone(() => statSync(join(file.parentPath, file.name)).size) ?? 0) : 0,
  );
  return sizes.reduce((sum, size) => sum + size, 0) / 1_048_576;
}

function descendantsOf(pid: number): readonly number[] {
  const children = unlessGone(() => childrenOf(pid)) ?? [];
  return children.flatMap((child) => [child, ...descendantsOf(child)]);
}

function describe(pid: number): RunningProcess[] {
  const line = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  // What is built for tests has a digest in its name.
  const program = /^[\w.-]+?(?=-[0-9a-f]{16}|[^\w.-]|$)/.exec(basename(line[0] ?? ""))?.[0] ?? "";
  // Node's: the folder of the workspace that its script is in.
  const script = line.find((word) => /\.[jt]s$/.test(word));
  const name = script === undefined ? program : (/([\w-]+)\/(?:src\/)?[\w-]+\.[jt]s$/.exec(script)?.[1] ?? script);
  return HELPERS.has(name) || name === "" ? [] : [{ pid, name, folder: readlinkSync(`/proc/${pid}/cwd`) }];
}

/** Undefined where a process or a file has gone meanwhile. */
function unlessGone<Value>(look: () => Value): Value | undefined {
  try {
    return look();
  } catch (error) {
    if (["ENOENT", "ESRCH", "EACCES"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}
