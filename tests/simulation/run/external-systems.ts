import { InMemoryEventStore } from "@travel-booking/engines/event-store/testing";
import { InMemoryStateStore } from "@travel-booking/engines/state-store/testing";
import { SandboxGateway } from "@travel-booking/payment-gateway/sandbox";
import { FaultyGateway } from "@travel-booking/payment-gateway/testing";
import { ManualClock, sequentialCommandIds } from "@travel-booking/runtime";
import { T0 } from "../scenario.ts";
import type { Interleaving } from "./interleaving.ts";
import { SimulatedTime } from "./simulated-time.ts";

/** What is lost: the call, or its answer. */
export type StoreFault = "lost-before" | "lost-after";

/** What no crash of the service touches: its disk, the payment gateway, time. */
export class ExternalSystems {
  readonly eventStore = new InMemoryEventStore();
  readonly stateStore = new InMemoryStateStore();
  readonly sandbox = new SandboxGateway(new InMemoryStateStore());
  readonly gateway = new FaultyGateway(this.sandbox);
  readonly clock = new ManualClock(T0);
  readonly ids = sequentialCommandIds();
  readonly interleaving: Interleaving;
  /** What leases, waits and time-outs run on. */
  readonly time = new SimulatedTime();
  /** Which command was carried out last under each key. */
  readonly commandIdByKey = new Map<string, string>();
  /** The next appends fail so. */
  readonly appendFaults: StoreFault[] = [];
  /** The next reads and writes of records fail so. */
  readonly stateFaults: StoreFault[] = [];

  constructor(interleaving: Interleaving) {
    this.interleaving = interleaving;
  }
}
