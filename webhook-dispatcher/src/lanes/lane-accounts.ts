import { type Lanes, laneName } from "@travel-booking/webhooks/deliveries";
import { remember } from "../remember.ts";

/** Whose endpoints are, as their lanes say. It never changes. */
export class LaneAccounts {
  readonly #lanes: Pick<Lanes, "get">;
  readonly #kept = new Map<string, string>();

  constructor(lanes: Pick<Lanes, "get">) {
    this.#lanes = lanes;
  }

  /** The account a lane belongs to; undefined: it is not there, and nothing is known of its endpoint. */
  async of(lane: string): Promise<string | undefined> {
    const { endpointId } = laneName(lane);
    const kept = this.#kept.get(endpointId);
    if (kept !== undefined) return kept;
    const accountId = (await this.#lanes.get(lane))?.lane.accountId;
    if (accountId === undefined) return undefined;
    remember(this.#kept, endpointId, accountId);
    return accountId;
  }
}
