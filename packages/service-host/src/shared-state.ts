import type { StateStore } from "@travel-booking/engines/state-store";
import { areKeysOf, giveUpKeys } from "@travel-booking/read-models/sealed-words";
import { type Clock, SandboxClock, type Settings, type Shutdown, StartupError } from "@travel-booking/runtime";

const CLOCK_RECORD = ["clock", "offset"] as const;

/** The service's clock with the offset from an operator. It is stored, so that a restart never turns time back. */
export function openClock(state: StateStore, machineClock: Clock): Promise<SandboxClock> {
  return SandboxClock.open(machineClock, {
    load: async () => (await state.get<number>(...CLOCK_RECORD))?.value,
    store: async (offset) => void (await state.put(...CLOCK_RECORD, offset)),
  });
}

/** Real time until an instance notices that another one has moved the clock. */
export const CLOCK_SYNC_INTERVAL_MS = 100;

/** Follows the clock that other instances move. The time of this instance never goes back. */
export function syncClock(clock: SandboxClock, shutdown: Shutdown): void {
  shutdown.repeat("clock", CLOCK_SYNC_INTERVAL_MS, () => clock.refresh());
}

/** Real time. */
const SWEEP_INTERVAL_MS = 60_000;
const SWEEP_BATCH_SIZE = 1_000;

/** Removes expired records, such as idempotency records after a day, in small batches. */
export function sweepExpired(state: StateStore, clock: Clock, shutdown: Shutdown): void {
  shutdown.repeat("expired records", SWEEP_INTERVAL_MS, async () => {
    while ((await state.removeExpired(clock.now(), SWEEP_BATCH_SIZE)) === SWEEP_BATCH_SIZE);
  });
}

const OTHER_KEYS =
  "the folder keys of DATA_DIR is not the one that personal words were sealed with, or an older one: put that one there; if it is lost, " +
  "start once with SECRET_KEY_IS_NEW=true: personal words stored before are lost";

/**
 * Returns whether the keys of personal words are given up, because the store of keys is not that of the log.
 * @throws StartupError the keys are others or older ones, and that was not declared.
 */
export async function checkKeys(
  state: Pick<StateStore, "get" | "remove">,
  keys: Pick<StateStore, "get">,
  { secretKeyIsNew }: Pick<Settings, "secretKeyIsNew">,
): Promise<boolean> {
  if (await areKeysOf(state, keys)) return false;
  if (!secretKeyIsNew) throw new StartupError(OTHER_KEYS);
  await giveUpKeys(state);
  return true;
}
