import { readFileSync } from "node:fs";

/** What the operating system knows about a process; undefined where there is none, or nobody can tell. */
export interface ProcessInfo {
  readonly name: string;
  readonly parent: number;
}

const POLL = 500;
/** npm, its shell, and a launcher or two. */
const MAX_ANCESTORS = 5;

/** From `/proc/<pid>/stat`: `pid (name) state parent …`, where the name may hold spaces and brackets itself. */
export function readLinuxProcess(pid: number): ProcessInfo | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const end = stat.lastIndexOf(")");
    return { name: stat.slice(stat.indexOf("(") + 1, end), parent: Number(stat.slice(end + 2).split(" ")[1]) };
  } catch {
    return undefined;
  }
}

export interface NpmParentOptions {
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The process this one was started by, as of now. */
  readonly parent?: () => number;
  readonly processInfoOf?: (pid: number) => ProcessInfo | undefined;
}

/**
 * Tells whether the `npm` that started this process still runs. npm runs a shell that runs Node, and killing npm
 * alone leaves the shell behind: so every link up to npm is watched, and none above it. Undefined where npm did not
 * start this process.
 */
export function npmParent(options: NpmParentOptions = {}): { isGone(): boolean } | undefined {
  const { environment = process.env, parent = () => process.ppid, processInfoOf = readLinuxProcess } = options;
  if (environment.npm_lifecycle_event === undefined) return undefined;
  const links = ancestorsUpToNpm(parent(), processInfoOf);
  return {
    isGone() {
      if (parent() !== links[0]) return true;
      return links.slice(1).some((above, index) => processInfoOf(links[index] as number)?.parent !== above);
    },
  };
}

/** The parent and its parents up to npm; only the parent where npm is not found among them. */
function ancestorsUpToNpm(parent: number, factsOf: (pid: number) => ProcessInfo | undefined): readonly number[] {
  const links = [parent];
  while (links.length <= MAX_ANCESTORS) {
    const facts = factsOf(links.at(-1) as number);
    if (facts === undefined) break;
    if (facts.name.startsWith("npm")) return links;
    if (facts.parent === 0) break;
    links.push(facts.parent);
  }
  return [parent];
}

/** Calls `onEnd` once when the `npm` that started this process has ended. Does not keep the process alive. */
export function watchNpmParent(onEnd: () => void, options: NpmParentOptions = {}): void {
  const watched = npmParent(options);
  if (watched === undefined) return;
  const timer = setInterval(() => {
    if (!watched.isGone()) return;
    clearInterval(timer);
    onEnd();
  }, POLL);
  timer.unref();
}
