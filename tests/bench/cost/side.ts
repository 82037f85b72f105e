import { resolve } from "node:path";
import type { Bench } from "../bench.ts";
import { Service } from "../service/service.ts";
import type { FilledStore } from "./filled-store.ts";
import type { Measured, Meter } from "./meter.ts";
import { Operations } from "./operations.ts";
import type { OfRound } from "./reference.ts";

/** A service on a copy of its checkout's store. */
export interface Started {
  readonly service: Service;
  readonly operations: Operations;
  readonly folder: string;
}

/** What both sides of a row share. */
export interface Common {
  readonly meter: Meter;
  /** Reference (c), warm. */
  readonly validatedPost: Measured;
  /** CPU of one operation of (c), in microseconds. */
  readonly validatedPostCpu: OfRound<number>;
  /** Is made for the side that asks first; the other gets the same. */
  readonly shared: <Value>(make: () => Promise<Value>) => Promise<Value>;
}

/** One row on one checkout of the service: what is started for it is stopped when the row ends. */
export class Side {
  /** It ends with the row. */
  readonly bench: Bench;
  readonly store: FilledStore;
  readonly meter: Meter;
  readonly validatedPost: Common["validatedPost"];
  readonly validatedPostCpu: Common["validatedPostCpu"];
  readonly shared: Common["shared"];

  constructor(bench: Bench, store: FilledStore, { meter, validatedPost, validatedPostCpu, shared }: Common) {
    this.bench = bench;
    this.store = store;
    this.meter = meter;
    this.validatedPost = validatedPost;
    this.validatedPostCpu = validatedPostCpu;
    this.shared = shared;
  }

  /** Starts the service on a new copy of the store. */
  async start(settings: Readonly<Record<string, string>> = {}): Promise<Started> {
    const folder = this.store.copy();
    this.bench.atEnd(() => this.store.discard(folder));
    const { profiles } = this.bench.options;
    const profiling = profiles === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${resolve(profiles)}`];
    const options = [settings.NODE_OPTIONS, ...profiling].filter((option) => option !== undefined);
    const all = { ...this.store.settings, ...settings, NODE_OPTIONS: options.join(" ") };
    const service = await Service.start(folder, all, this.store.checkout);
    this.bench.atEnd(() => service.stop());
    return { service, operations: new Operations(this.store.contents), folder };
  }
}
