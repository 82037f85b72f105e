import type { StateStore } from "@travel-booking/engines/state-store";
import { AttemptLog } from "./attempt-log.ts";
import { Backlogs } from "./backlogs.ts";
import { EndpointStates } from "./endpoint-states.ts";
import { FailingEndpoints } from "./failing-endpoints.ts";
import { FanOutCheckpoints, ReplayRequests } from "./fan-out-state.ts";
import { Lanes } from "./lanes.ts";

/** Everything stored about deliveries (docs/decisions/0015-deliveries-are-stored-in-lanes.md). */
export class DeliveryStore {
  readonly lanes: Lanes;
  readonly endpoints: EndpointStates;
  readonly failing: FailingEndpoints;
  readonly attempts: AttemptLog;
  readonly backlogs: Backlogs;
  readonly checkpoints: FanOutCheckpoints;
  readonly replays: ReplayRequests;

  constructor(state: StateStore) {
    this.lanes = new Lanes(state);
    this.endpoints = new EndpointStates(state);
    this.failing = new FailingEndpoints(state);
    this.attempts = new AttemptLog(state);
    this.backlogs = new Backlogs(state, this.lanes);
    this.checkpoints = new FanOutCheckpoints(state);
    this.replays = new ReplayRequests(state);
  }

  /** Removes what is pending and what was attempted of a deleted endpoint; what is pending last, by which it is found. */
  async removeAll(endpointId: string): Promise<void> {
    await this.attempts.removeAll(endpointId);
    await this.lanes.removeAll(endpointId);
  }
}
