import type { StateStore } from "@travel-booking/engines/state-store";
import { type Clock, SandboxClock, systemClock } from "@travel-booking/runtime";

const SPACE = "clock";
const KEY = "offset";

/** The service's clock with the offset an operator has given it; kept, so that a restart never turns time back. */
export function openClock(state: StateStore, environment: NodeJS.ProcessEnv): Promise<SandboxClock> {
  return SandboxClock.open(machineClock(environment), {
    load: async () => (await state.get<number>(SPACE, KEY))?.value,
    store: async (offset) => void (await state.put(SPACE, KEY, offset)),
  });
}

/**
 * For tests of a service that was switched off for long: `TEST_CLOCK_AHEAD_SECONDS=<n>` makes the machine's clock
 * look so far ahead. Not among the settings, because nobody who runs the service wants it.
 */
function machineClock({ TEST_CLOCK_AHEAD_SECONDS: seconds = "" }: NodeJS.ProcessEnv): Clock {
  if (seconds === "") return systemClock;
  const ahead = Number(seconds) * 1_000;
  return { now: () => systemClock.now() + ahead };
}
