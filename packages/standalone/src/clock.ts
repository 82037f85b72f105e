import { SandboxClock, systemClock } from "@travel-booking/runtime";
import type { StateStore } from "@travel-booking/state-store";

const SPACE = "clock";
const KEY = "offset";

/** The service's clock with the offset an operator has given it; kept, so that a restart never turns time back. */
export function openClock(state: StateStore): Promise<SandboxClock> {
  return SandboxClock.open(systemClock, {
    load: async () => (await state.get<number>(SPACE, KEY))?.value,
    store: async (offset) => void (await state.put(SPACE, KEY, offset)),
  });
}
