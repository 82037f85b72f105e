import type { Logger } from "@travel-booking/runtime";

/** Logs what an engine reports and copes with by itself. */
export function engineProblemLogger(logger: Logger, engine: string): (error: unknown) => void {
  return (error) => logger.warn({ err: error, engine }, "engine error; retrying");
}
