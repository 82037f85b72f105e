import type { RealTime } from "@travel-booking/command-service";
import { InMemoryEventStore } from "@travel-booking/event-store";
import { SandboxGateway } from "@travel-booking/payment-gateway";
import { FaultyGateway } from "@travel-booking/payment-gateway/testing";
import { countedCommandIds, ManualClock } from "@travel-booking/runtime";
import { InMemoryStateStore } from "@travel-booking/state-store";
import { T0 } from "../scenario.ts";
import type { Interleaving } from "./interleaving.ts";

export type AppendFault = "lost-before" | "lost-after";

/** What no crash of the service touches: its disk, the payment gateway, time. */
export class Outside {
  readonly store = new InMemoryEventStore();
  readonly states = new InMemoryStateStore();
  readonly sandbox = new SandboxGateway(new InMemoryStateStore());
  readonly gateway = new FaultyGateway(this.sandbox);
  readonly clock = new ManualClock(T0);
  readonly ids = countedCommandIds();
  readonly interleaving: Interleaving;
  /** The next appends fail so. */
  readonly appendFaults: AppendFault[] = [];
  /** Real time as far as the service waits on it, in milliseconds. */
  waited = 0;

  constructor(interleaving: Interleaving) {
    this.interleaving = interleaving;
  }

  /** The machine's time for a process that waits `turn` by turn. */
  realTime(turn: (label: string) => Promise<void>): RealTime {
    return {
      now: () => this.waited,
      pause: async (milliseconds) => {
        await turn("pause");
        this.waited += milliseconds;
      },
    };
  }
}
