import { isUnavailable, type Unavailable } from "../../engine.ts";

/** The engine. @throws Error it is unavailable. */
export function requireEngine<Engine extends object>(engine: Engine | Unavailable): Engine {
  if (isUnavailable(engine)) throw new Error(engine.unavailable);
  return engine;
}
