import { EventStoreUnavailable, type KnownLog, type ReadModelMark } from "@travel-booking/engines/event-store";
import type { StateStore } from "@travel-booking/engines/state-store";
import { scanPrefix } from "@travel-booking/engines/state-store/prefix-scan";
import type { WritePositions } from "@travel-booking/engines/write-positions";
import { IDEMPOTENCY_SPACE, unavailable } from "@travel-booking/http";
import { FOLLOWED_LOG_SPACES } from "@travel-booking/webhooks/deliveries";

const RETRY_AFTER_SECONDS = 30;
const NOT_OUR_LOG = unavailable(
  "out_of_reach",
  "The service's event log is not in its place, and nothing is changed; nothing was attempted. Try again later.",
  RETRY_AFTER_SECONDS,
);

interface FollowedLog {
  readonly state: StateStore;
  readonly positions: WritePositions;
  /** Marks of the log in the read models. */
  readonly marks: () => readonly ReadModelMark[];
  /** Forgets everything that was read from the log. */
  readonly forget: () => void;
}

/**
 * What the command side does if the log was replaced (docs/decisions/0045-a-log-is-known-by-its-events.md).
 * @param log undefined: the log can't be replaced.
 */
export function besideAnotherLog(log: KnownLog | undefined, { state, positions, marks, forget }: FollowedLog) {
  return {
    /** Refuses writes, because read models would never show events of another log. */
    refuseWrite: () => log?.problem && NOT_OUR_LOG,
    /** From now on the log must be the one the read models were built from. Otherwise `log.problem` is set. */
    async compare(): Promise<void> {
      log?.compareWith(marks, forget);
      await log?.verify().catch((error: unknown) => {
        if (!(error instanceof EventStoreUnavailable)) throw error;
      });
    },
    /**
     * Runs before another log is accepted. Removes data that is true only beside the old log: positions, because they
     * differ in the other log, and answers to commands that it does not have.
     */
    async giveUp(): Promise<void> {
      if (log?.problem === undefined) return;
      for (const space of [IDEMPOTENCY_SPACE, ...FOLLOWED_LOG_SPACES]) {
        for await (const { key } of scanPrefix(state, space, "")) await state.remove(space, key);
      }
      await positions.forgetAll();
    },
  };
}
