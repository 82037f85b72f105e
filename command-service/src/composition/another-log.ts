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
  /** What the read models have seen of the log. */
  readonly marks: () => readonly ReadModelMark[];
  /** Forgets what was read of the log. */
  readonly forget: () => void;
}

/**
 * What the command side does while the log is another one (docs/decisions/0045-a-log-is-known-by-its-events.md).
 * @param log undefined: nobody can put another one there.
 */
export function besideAnotherLog(log: KnownLog | undefined, { state, positions, marks, forget }: FollowedLog) {
  return {
    /** What is written to another log would never be shown. */
    refuseWrite: () => log?.problem && NOT_OUR_LOG,
    /** From now on the log has to be the one that the read models were made from; `log.problem` is set where it is not. */
    async compare(): Promise<void> {
      log?.compareWith(marks, forget);
      await log?.verify().catch((error: unknown) => {
        if (!(error instanceof EventStoreUnavailable)) throw error;
      });
    },
    /**
     * Before another log is taken: removes what stands beside a log and is true of that log alone, which are positions, which
     * the other log gives to other events, and answers to commands that it does not have.
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
