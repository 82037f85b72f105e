import type { StateStore } from "@travel-booking/engines/state-store";
import { scanPrefix } from "@travel-booking/engines/state-store/prefix-scan";
import type { WritePositions } from "@travel-booking/engines/write-positions";
import { IDEMPOTENCY_SPACE } from "@travel-booking/http";
import { FOLLOWED_LOG_SPACES } from "@travel-booking/webhooks/deliveries";

/**
 * Removes what stands beside a log and is true of that log alone, before another log is taken: positions, which the other
 * log gives to other events, and answers to commands that it does not have.
 */
export async function giveUpLog(state: StateStore, positions: WritePositions): Promise<void> {
  for (const space of [IDEMPOTENCY_SPACE, ...FOLLOWED_LOG_SPACES]) {
    for await (const { key } of scanPrefix(state, space, "")) await state.remove(space, key);
  }
  await positions.forgetAll();
}
