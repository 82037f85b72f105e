import type { Redis } from "ioredis";

/** The connection of a process to its Redis. */
export interface RedisConnection {
  /** Connects again by itself for ever; a command fails at once while it is not connected. */
  readonly client: Redis;
  /** What every key of this project begins with. */
  readonly keyPrefix: string;
  /** @throws RedisUnavailable no answer, also where none was possible within a second. */
  ping(): Promise<void>;
  /**
   * Which server this is, as of the present connection; undefined while there is none. A server with another id may have
   * lost what the one before had acknowledged.
   */
  runId(): string | undefined;
  /** Waits for the answers to what was sent. Nothing is told to `onProblem` any more. */
  close(): Promise<void>;
}
