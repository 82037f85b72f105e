import { Faults } from "./control/faults.ts";
import { Log } from "./log/log.ts";
import { linkToCategory, writeFirstSystemEvents } from "./log/system-events.ts";

export interface DoubleOptions {
  readonly data: string;
  /** Links every event into its category's stream, as the projection `$by_category` does. */
  readonly projections: boolean;
  /** After which an append that is dropped is answered with a time-out. */
  readonly writeTimeoutMs: number;
  /** Of one append, in bytes. */
  readonly maxAppendSize: number;
}

/** What all services of the double share. */
export class EventStoreDbDouble {
  readonly options: DoubleOptions;
  readonly log: Log;
  readonly faults = new Faults();

  private constructor(options: DoubleOptions, log: Log) {
    this.options = options;
    this.log = log;
  }

  /** Another node that has the same log, as all of a cluster have what was acknowledged. */
  another(): EventStoreDbDouble {
    return new EventStoreDbDouble(this.options, this.log);
  }

  static async open(options: DoubleOptions): Promise<EventStoreDbDouble> {
    const log = await Log.open(options.data);
    if (log.events.length === 0) await writeFirstSystemEvents(log);
    if (options.projections) linkToCategory(log);
    return new EventStoreDbDouble(options, log);
  }
}
