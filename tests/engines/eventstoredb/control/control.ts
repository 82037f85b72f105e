import type { AppendFault, Drop, Refusal, SeenMember } from "./faults.ts";

/** What the double can be told, by name, with what it answers. */
export interface DoubleControl {
  /** Nothing is done wrong any more, and what is held is let go. */
  reset(): Promise<void>;
  /** The next `count` appends, or all that follow. */
  onAppends(fault: AppendFault, count?: number): Promise<void>;
  /** Lets go of what is held, and does nothing wrong to later appends. */
  release(): Promise<void>;
  /** Appends and reads that need the leader are told "Server Is Not Ready" for so long, as after a start. */
  notReady(ms: number): Promise<void>;
  /**
   * True: it is a member of a cluster without a leader. It takes no appends and answers no read that needs the leader;
   * others it answers from what it has.
   */
  loseLeader(lost: boolean): Promise<void>;
  /**
   * The node at this host and port leads: reads that need the leader are told so, and appends are taken, as a follower
   * forwards them. Both are doubles with a log of their own. Null: it leads itself.
   */
  followLeader(leader: string | null): Promise<void>;
  /** What it says of its cluster when asked by gossip; null: that it leads, or follows who it was told to. */
  seeMembers(members: readonly SeenMember[] | null): Promise<void>;
  /** True: reads get nothing that is appended from now on, as from a follower that lags. */
  lag(lags: boolean): Promise<void>;
  /** Refuses all calls, as a server with users does; null: nobody is refused. */
  refuse(how: Refusal | null): Promise<void>;
  /** Ends all subscriptions; answers how many. */
  dropSubscriptions(how: Drop): Promise<number>;
  /** Subscriptions stay open and get nothing, until told otherwise. */
  silence(silent: boolean): Promise<void>;
  /** True, as on 23.10: a live subscription that does not keep up is dropped. False, as on 24.10 and by default: it catches up. */
  dropSlowConsumers(drop: boolean): Promise<void>;
  /** Writes so many system events to the end of the log. */
  writeStatistics(count: number): Promise<void>;
  /** Removes for good what was deleted; answers the number of events. */
  scavenge(): Promise<number>;
  state(): Promise<DoubleState>;
}

export interface DoubleState {
  readonly subscriptions: number;
  /** Appends that came in since the start, whatever became of them. */
  readonly appends: number;
  /** Reads that came in since the start, subscriptions included. */
  readonly reads: number;
  /** Events in the log, system events included. */
  readonly events: number;
}
