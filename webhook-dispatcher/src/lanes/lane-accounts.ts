import { type Lanes, parseLaneKey } from "@travel-booking/webhooks/deliveries";
import { setBounded } from "../set-bounded.ts";

/** Whose endpoints are, as their lanes say. It never changes. */
export class LaneAccounts {
  readonly #lanes: Pick<Lanes, "get">;
  readonly #cache = new Map<string, string>();

  constructor(lanes: Pick<Lanes, "get">) {
    this.#lanes = lanes;
  }

  /** The account a lane belongs to; undefined: it is not there, and nothing is known of its endpoint. */
  async accountOf(lane: string): Promise<string | undefined> {
    const { endpointId } = parseLaneKey(lane);
    const kept = this.#cache.get(endpointId);
    if (kept !== undefined) return kept;
    const accountId = (await this.#lanes.get(lane))?.lane.accountId;
    if (accountId === undefined) return undefined;
    setBounded(this.#cache, endpointId, accountId);
    return accountId;
  }
}
