/** A running engine for tests. */
export interface TestEngine {
  /** Where its official client finds it. */
  readonly url: string;
  /** Ends it and removes everything it has stored. */
  stop(): Promise<void>;
  /** SIGKILL: nothing is finished. @throws Error it is a server that the environment names: it is not ours. */
  kill(): Promise<void>;
  /** Starts it again, killing it first where it runs: same url, same data. @throws Error it is not ours. */
  restart(): Promise<void>;
}

/** Why there is no such engine here, in words. */
export interface Unavailable {
  readonly unavailable: string;
}

export function isUnavailable(engine: object): engine is Unavailable {
  return "unavailable" in engine;
}
