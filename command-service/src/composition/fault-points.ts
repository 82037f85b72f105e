import type { FaultPoint } from "../services.ts";

/**
 * For tests of crashes only: `TEST_FAULT_POINT=<name>` kills this process, as a power cut would, the first time a
 * command reaches the step of that name. Not among the settings, because nobody who runs the service wants it.
 */
export function faultPointFromEnvironment(environment: Readonly<Record<string, string | undefined>>): FaultPoint {
  const deadly = environment.TEST_FAULT_POINT;
  if (deadly === undefined || deadly === "") return () => undefined;
  return (name) => {
    if (name === deadly) process.kill(process.pid, "SIGKILL");
  };
}
