/** Posts signed bodies to a receiver for so long. */
export interface PostTask {
  readonly url: string;
  readonly seconds: number;
  readonly inFlight: number;
}

/** Delivers so many events, each to every endpoint; all of them lead to one receiver. */
export interface DeliverTask {
  /** An empty folder. */
  readonly folder: string;
  readonly url: string;
  readonly events: number;
  readonly endpoints: number;
}
