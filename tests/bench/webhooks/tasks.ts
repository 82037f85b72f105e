/** Delivers a backlog: of so many accounts the events of each to every endpoint it has; all lead to one receiver. */
export interface DeliverTask {
  /** An empty folder. */
  readonly folder: string;
  readonly url: string;
  readonly accounts: number;
  readonly endpointsEach: number;
  readonly eventsEach: number;
  /** As many events of each account before these, which are not timed: for connections, keys and the compiler. */
  readonly warmUpEach: number;
}

/** Events at a steady rate for so long, delivered meanwhile. */
export interface PublishTask {
  /** An empty folder. */
  readonly folder: string;
  readonly seconds: number;
  readonly perSecond: number;
  /** Events are of these in turn, each account's own. */
  readonly bookingsEach: number;
  readonly endpoints: readonly { readonly account: number; readonly url: string }[];
}

/** By an event's id, milliseconds by a clock all processes of a machine share. */
export type Timestamps = Readonly<Record<string, number>>;

/** That clock. */
export function timestampNow(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** What a receiver is asked. */
export type ReceiveTask = "where" | "how many" | "what came";

/** The endpoints by what is wrong with them, and where they are. */
export type Misbehaviour = "fails three in ten" | "is down" | "is slow" | "never answers" | "closes mid-answer";
