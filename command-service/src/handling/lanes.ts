import { NO_STREAM } from "@travel-booking/engines/event-store";
import { emptyStream } from "./folded-stream.ts";
import type { Job, Lane } from "./lane.ts";
import type { Sharing } from "./sharing.ts";

export interface LanesOptions {
  /** How many streams stay folded in memory. */
  readonly most: number;
  /** For a store that others may write to. */
  readonly newSharing: (execution: Job["execution"]) => Sharing | undefined;
}

/** The lanes of all streams that are worked on, and of those used last. */
export class Lanes {
  readonly #options: LanesOptions;
  /** Least recently used first. */
  readonly #lanes = new Map<string, Lane>();

  constructor(options: LanesOptions) {
    this.#options = options;
  }

  of(execution: Job["execution"]): Lane {
    const known = this.#lanes.get(execution.stream);
    if (known !== undefined) return known;
    const lane: Lane = {
      stream: execution.stream,
      decider: execution.decider,
      jobs: [],
      running: false,
      folded: execution.newStream === true ? emptyStream(execution.decider) : undefined,
      sharing: this.#options.newSharing(execution),
      unresolved: undefined,
    };
    this.#lanes.set(execution.stream, lane);
    return lane;
  }

  /** Most recently used streams stay folded; one that does not exist is not worth a place. */
  keep(lane: Lane): void {
    this.#lanes.delete(lane.stream);
    if (lane.unresolved === undefined && (lane.folded === undefined || lane.folded.revision === NO_STREAM)) return;
    this.#lanes.set(lane.stream, lane);
    if (this.#lanes.size <= this.#options.most) return;
    for (const [stream, oldest] of this.#lanes) {
      if (oldest.running || oldest.unresolved !== undefined) continue;
      this.#lanes.delete(stream);
      return;
    }
  }
}
