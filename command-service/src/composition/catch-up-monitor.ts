import type { EventStore } from "@travel-booking/engines/event-store";
import { OperatorError } from "@travel-booking/http/operator";
import type { ProjectionProgress } from "@travel-booking/read-models";
import { PROJECTION_NAMES, SHOWN_PROJECTION_NAMES } from "@travel-booking/read-models";
import type { ProjectorControl } from "@travel-booking/read-models/control";
import type { Logger } from "@travel-booking/runtime";

/** Real time that an operator's command waits until it is in force. */
const PROJECTED_WITHIN_MS = 30_000;
/** Real time that the answer to a client's command waits until the command is shown. */
const SHOWN_WITHIN_MS = 5_000;
/** Real time of waiting, after which the monitor asks whether a projection has stopped. */
const STATUS_POLL_MS = 250;
/** Real time between two log lines about the progress of a long start. */
const LOG_INTERVAL_MS = 5_000;

/**
 * Knows how far the read models are behind the log. It does not wait for a stopped projection, because that needs an
 * operator, and the operator needs the service.
 */
export class CatchUpMonitor {
  readonly #projector: Pick<ProjectorControl, "list">;
  readonly #progress: ProjectionProgress;
  readonly #events: Pick<EventStore, "head">;

  constructor(
    projector: Pick<ProjectorControl, "list">,
    progress: ProjectionProgress,
    events: Pick<EventStore, "head">,
  ) {
    this.#projector = projector;
    this.#progress = progress;
    this.#events = events;
  }

  /** Resolves when every read of a client shows what was recorded at this position, or after five seconds. */
  async waitUntilShown(position: bigint): Promise<void> {
    await this.#behind(SHOWN_PROJECTION_NAMES, position, SHOWN_WITHIN_MS);
  }

  /**
   * Resolves when an operator's command, recorded at this position, is in force, or shown by these projections alone.
   * @throws OperatorError 503
   */
  async waitUntilProjected(position: bigint, projections: readonly string[] = PROJECTION_NAMES): Promise<void> {
    const behind = await this.#behind(projections, position, PROJECTED_WITHIN_MS);
    if (behind.length > 0) throw new OperatorError(503, `recorded, but not shown yet by ${behind.join(", ")}`);
  }

  /** Resolves when everything in the log can be read. @throws OperatorError 503 */
  async waitUntilCaughtUp(): Promise<void> {
    await this.waitUntilProjected(await this.#events.head());
  }

  /** As `waitUntilCaughtUp`, without a limit, because earlier reads would miss acknowledged writes. */
  async waitUntilCaughtUpUnbounded(logger: Logger): Promise<void> {
    const head = await this.#events.head();
    for (;;) {
      const behind = await this.#behind(PROJECTION_NAMES, head, LOG_INTERVAL_MS);
      if (behind.length === 0) return;
      const at = Object.fromEntries(
        behind.map((projection) => [projection, String(this.#progress.positionOf(projection))]),
      );
      logger.info({ head: String(head), at }, "the read models are catching up with the log");
    }
  }

  async #behind(projections: readonly string[], position: bigint, waitMs: number): Promise<readonly string[]> {
    const giveUpAt = performance.now() + waitMs;
    const reached = await Promise.all(projections.map((name) => this.#waitUntilReached(name, position, giveUpAt)));
    return projections.filter((_, index) => !reached[index]);
  }

  async #waitUntilReached(projection: string, position: bigint, giveUpAt: number): Promise<boolean> {
    for (;;) {
      const left = Math.max(0, giveUpAt - performance.now());
      const pause = Math.min(left, STATUS_POLL_MS);
      if (await this.#progress.waitUntil(projection, position, pause)) return true;
      // While a server is out of reach, it is unknown whether the projection has stopped.
      if (await this.isStopped(projection).catch(() => false)) return true;
      if (left === 0) return false;
    }
  }

  async isStopped(projection: string): Promise<boolean> {
    return (await this.#stopped()).includes(projection);
  }

  /** A line for operators; undefined: none is stopped. */
  async stoppedLine(): Promise<string | undefined> {
    const stopped = await this.#stopped();
    if (stopped.length === 0) return undefined;
    return `stopped at an event: ${stopped.join(", ")} (projection list says why; what they show gets old)`;
  }

  async #stopped(): Promise<readonly string[]> {
    return (await this.#projector.list()).filter(({ state }) => state === "stopped").map(({ name }) => name);
  }
}
