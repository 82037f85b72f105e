import type { EventStoreDbDouble } from "../double.ts";
import { writeStatistics } from "../log/system-events.ts";
import type { DoubleControl } from "./control.ts";

export function localControl({ log, faults }: EventStoreDbDouble): DoubleControl {
  return {
    async reset() {
      faults.reset();
      log.wake();
    },
    onAppends: async (fault, count) => faults.onAppends(fault, count),
    release: async () => faults.release(),
    notReady: async (ms) => faults.notReady(ms),
    async loseLeader(lost) {
      faults.leaderless = lost;
    },
    async followLeader(leader) {
      faults.leader = leader;
    },
    async seeMembers(members) {
      faults.members = members;
    },
    async lag(lags) {
      faults.lastSeen = lags ? (log.events.at(-1)?.position ?? 0n) : null;
      log.wake();
    },
    async refuse(how) {
      faults.refusal = how;
    },
    dropSubscriptions: async (how) => faults.dropSubscriptions(how),
    async silence(silent) {
      faults.silent = silent;
      log.wake();
    },
    async dropSlowConsumers(drop) {
      faults.dropsSlowConsumers = drop;
    },
    writeStatistics: (count) => writeStatistics(log, count),
    scavenge: () => log.scavenge(),
    state: async () => ({
      subscriptions: faults.subscriptions,
      appends: faults.seen,
      reads: faults.reads,
      events: log.events.length,
    }),
  };
}
