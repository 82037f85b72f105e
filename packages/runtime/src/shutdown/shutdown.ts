import type { Logger } from "../logging/logger.ts";

/** How long everything together may take to close, in milliseconds; the promise to the outside is ten seconds. */
const DEADLINE = 9_000;

export interface ShutdownOptions {
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

/** Closes what was opened, the last opened first, once, whatever asks for it and however often. */
export class Shutdown {
  readonly #logger: Logger;
  readonly #deadline: number;
  readonly #exit: (code: number) => void;
  readonly #closers: Closer[] = [];
  #stopping: Promise<void> | undefined;

  constructor({ logger, deadline = DEADLINE, exit = (code) => process.exit(code) }: ShutdownOptions) {
    this.#logger = logger;
    this.#deadline = deadline;
    this.#exit = exit;
  }

  get isStopping(): boolean {
    return this.#stopping !== undefined;
  }

  /** `close` runs before the closers registered so far. */
  register(name: string, close: () => unknown): void {
    this.#closers.push({ name, close });
  }

  /** SIGTERM and SIGINT stop the process from now on. Repeated ones change nothing: a process group may send several. */
  handleSignals(process: NodeJS.EventEmitter = globalThis.process): void {
    for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => void this.stop(signal));
  }

  /**
   * Runs the closers one after another and exits: 0, or `code` where one is given; 1 where a closer failed or the
   * deadline passed.
   */
  stop(reason: string, code = 0): Promise<void> {
    this.#stopping ??= this.#stop(reason, code);
    return this.#stopping;
  }

  async #stop(reason: string, code: number): Promise<void> {
    this.#logger.info({ reason }, "stopping");
    const { promise: late, resolve } = Promise.withResolvers<"late">();
    const timer = setTimeout(() => resolve("late"), this.#deadline);
    const ended = await Promise.race([this.#closeAll(), late]);
    clearTimeout(timer);
    if (ended === "late") this.#logger.error({ reason }, "shutdown deadline exceeded");
    this.#exit(ended === "closed" ? code : 1);
  }

  async #closeAll(): Promise<"closed" | "failed"> {
    let ended: "closed" | "failed" = "closed";
    for (const { name, close } of this.#closers.toReversed()) {
      try {
        await close();
        this.#logger.debug({ closed: name }, "closed");
      } catch (error) {
        ended = "failed";
        this.#logger.error({ err: error, closing: name }, "could not close a resource");
      }
    }
    return ended;
  }
}
