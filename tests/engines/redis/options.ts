import type { ServerRequirements } from "../providers/environment-server.ts";

export interface RedisOptions extends ServerRequirements {
  /** Keeps what is written over a kill and a restart; otherwise a restarted Redis is an empty one. */
  readonly appendOnly?: boolean;
}

/** What Redis is told when it starts. */
export function redisSettings({ appendOnly = false }: RedisOptions): readonly string[] {
  return ["--save", "", "--appendonly", appendOnly ? "yes" : "no", "--appendfsync", "always"];
}
