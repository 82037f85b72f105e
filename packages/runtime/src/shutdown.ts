import { readFileSync } from "node:fs";
import type { Logger } from "./logger.ts";
import { backgroundPause, withTimeout } from "./real-time.ts";

/** Milliseconds in which everything must close. The documented limit is ten seconds. */
const DEADLINE_MS = 9_000;

interface ShutdownOptions {
  readonly logger: Logger;
  /** Milliseconds of real time. */
  readonly deadline?: number;
  /** Ends the process. */
  readonly exit?: (code: number) => void;
}

interface Closer {
  readonly name: string;
  readonly close: () => unknown;
}

/** Closes resources in reverse order of opening. Runs once, however often it is requested. */
export class Shutdown {
  readonly #logger: Logger;
  readonly #deadline: number;
  readonly #exit: (code: number) => void;
  readonly #closers: Closer[] = [];
  readonly #begun = Promise.withResolvers<void>();
  #stopping: Promise<void> | undefined;
  #closing: string | undefined;

  constructor({ logger, deadline = DEADLINE_MS, exit = (code) => process.exit(code) }: ShutdownOptions) {
    this.#logger = logger;
    this.#deadline = deadline;
    this.#exit = exit;
  }

  get isStopping(): boolean {
    return this.#stopping !== undefined;
  }

  /** Resolves when a stop begins, before anything is closed. */
  get begun(): Promise<void> {
    return this.#begun.promise;
  }

  /**
   * `close` runs before the closers registered so far.
   * @throws Error a stop has begun, so `close` would never run. The caller must not start what it registers.
   */
  register(name: string, close: () => unknown): void {
    if (this.isStopping) throw new Error("the service is stopping");
    this.#closers.push({ name, close });
  }

  /**
   * Does work until its turn to close comes. Then its signal aborts, and the stop waits for its end.
   * @throws Error a stop has begun, so the work does not begin.
   */
  run(name: string, work: (signal: AbortSignal) => Promise<unknown>): void {
    const closing = new AbortController();
    let running: Promise<unknown> | undefined;
    this.register(name, () => {
      closing.abort();
      return running;
    });
    running = work(closing.signal);
  }

  /** Repeats work in the background, with pauses of real time. After a failure it simply goes on. */
  repeat(name: string, pauseMs: number, work: () => Promise<unknown>): void {
    this.run(name, async (signal) => {
      for (;;) {
        await backgroundPause(pauseMs, signal);
        if (signal.aborted) return;
        await work().catch(() => undefined);
      }
    });
  }

  /** SIGTERM and SIGINT stop the process from now on. Further ones change nothing: a process group may send several. */
  handleSignals(process: NodeJS.EventEmitter = globalThis.process): void {
    for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => void this.stop(signal));
  }

  /**
   * Runs the closers one after another and exits: 0, or `code` if given; 1 if a closer failed or the
   * deadline passed.
   */
  stop(reason: string, code = 0): Promise<void> {
    this.#stopping ??= this.#stop(reason, code);
    return this.#stopping;
  }

  async #stop(reason: string, code: number): Promise<void> {
    this.#logger.info({ reason }, "stopping");
    this.#begun.resolve();
    const isClosed = await withTimeout(this.#closeAll(), this.#deadline, () => new Error("late")).catch(() => {
      this.#logger.error({ reason, closing: this.#closing }, "shutdown deadline exceeded");
      return false;
    });
    this.#exit(isClosed ? code : 1);
  }

  /** False if a closer has failed. */
  async #closeAll(): Promise<boolean> {
    let isClosed = true;
    for (const { name, close } of this.#closers.toReversed()) {
      this.#closing = name;
      try {
        await close();
        this.#logger.debug({ closed: name }, "closed");
      } catch (error) {
        isClosed = false;
        this.#logger.error({ err: error, closing: name }, "could not close a resource");
      }
    }
    return isClosed;
  }
}

/** What the operating system knows about a process. */
export interface ProcessInfo {
  readonly name: string;
  readonly parent: number;
}

const POLL_INTERVAL_MS = 500;
/** npm, its shell, and a launcher or two. */
const MAX_ANCESTORS = 5;

/** `gone`: there is no such process, or no `/proc`. `unknown`: it can't be read now, for example for want of files. */
export type ReadProcess = (pid: number) => ProcessInfo | "gone" | "unknown";

/** Reads `/proc/<pid>/stat`: `pid (name) state parent …`, where the name itself may hold spaces and brackets. */
export const readLinuxProcess: ReadProcess = (pid) => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const end = stat.lastIndexOf(")");
    return { name: stat.slice(stat.indexOf("(") + 1, end), parent: Number(stat.slice(end + 2).split(" ")[1]) };
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    return ["ENOENT", "ESRCH"].includes(code) ? "gone" : "unknown";
  }
};

interface NpmParentOptions {
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The current parent process. */
  readonly parent?: () => number;
  readonly readProcess?: ReadProcess;
}

/**
 * Detects the end of the `npm` that started this process. npm runs a shell that runs Node, and killing npm alone leaves
 * the shell behind. So this watches every ancestor up to npm, and none above it. Undefined if npm did not start this
 * process.
 */
export function npmParent(options: NpmParentOptions = {}): { isGone(): boolean } | undefined {
  const { environment = process.env, parent = () => process.ppid, readProcess = readLinuxProcess } = options;
  if (environment.npm_lifecycle_event === undefined) return undefined;
  const links = ancestorsUpToNpm(parent(), readProcess);
  const hasLost = (pid: number, above: number) => {
    const found = readProcess(pid);
    return found === "gone" || (found !== "unknown" && found.parent !== above);
  };
  return {
    isGone() {
      if (parent() !== links[0]) return true;
      return links.slice(1).some((above, index) => hasLost(links[index] as number, above));
    },
  };
}

/** The parent and its ancestors up to npm; only the parent if npm is not among them. */
function ancestorsUpToNpm(parent: number, readProcess: ReadProcess): readonly number[] {
  const links = [parent];
  while (links.length <= MAX_ANCESTORS) {
    const info = readProcess(links.at(-1) as number);
    if (typeof info === "string") break;
    if (info.name.startsWith("npm")) return links;
    if (info.parent === 0) break;
    links.push(info.parent);
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
  }, POLL_INTERVAL_MS);
  timer.unref();
}
