import type { ReadModels } from "@travel-booking/engines/read-store";
import { temporaryReadStore } from "@travel-booking/engines/read-store/testing";
import { InMemoryStateStore } from "@travel-booking/engines/state-store/testing";
import { type ProjectionStatus, SkippedEvents, skipFailedEvent } from "@travel-booking/read-models/control";
import { newWords } from "@travel-booking/read-models/testing";
import { type Projection, Projector, type ProjectorOptions } from "../../src/index.ts";
import { fleet, waiting } from "./example-projections.ts";
import { TestLog } from "./log.ts";

export interface Problem {
  readonly projection: string | null;
  readonly error: unknown;
}

/** A projector over a log in memory and a read store on disk. */
export class Harness {
  readonly log = new TestLog();
  readonly temporary = temporaryReadStore();
  readonly skippedEvents = new SkippedEvents(new InMemoryStateStore());
  readonly problems: Problem[] = [];
  readonly fatal: unknown[] = [];
  #watchers: (() => void)[] = [];
  #projectors: Projector[] = [];

  get store() {
    return this.temporary.store;
  }

  async start(
    projections: readonly Projection[] = [fleet, waiting],
    options: Partial<ProjectorOptions> = {},
  ): Promise<Projector> {
    const projector = this.newProjector(projections, options);
    await projector.start();
    return projector;
  }

  newProjector(projections: readonly Projection[], options: Partial<ProjectorOptions> = {}): Projector {
    const tell = () => {
      for (const watcher of this.#watchers) watcher();
    };
    const projector = new Projector({
      eventStore: this.log,
      readStore: this.store,
      words: newWords(),
      skippedEvents: this.skippedEvents,
      projections,
      onFatal: (error) => {
        this.fatal.push(error);
        tell();
      },
      onProblem: (problem) => {
        this.problems.push(problem);
        tell();
      },
      graceMs: 0,
      ...options,
    });
    this.#projectors.push(projector);
    return projector;
  }

  /** As an operator does. */
  skip(projector: Projector, name: string): Promise<ProjectionStatus> {
    return skipFailedEvent(projector, this.skippedEvents, name);
  }

  /** Resolves when a report makes the condition true. */
  until(condition: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (condition()) resolve();
      };
      this.#watchers.push(look);
      look();
    });
  }

  async close(): Promise<void> {
    for (const projector of this.#projectors) await projector.stop();
    await this.temporary.close();
  }
}

export async function bodyOf(models: ReadModels, model: string, key: string): Promise<unknown> {
  models.refresh();
  const body = await models.body(model, key);
  return body === undefined ? undefined : JSON.parse(body.json);
}

export async function keysOf(models: ReadModels, model: string, index: string, partition = "all"): Promise<string[]> {
  models.refresh();
  const items = await models.page(model, { index, partition, order: "ascending", limit: 1_000 });
  return items.map(({ key }) => key);
}

/** Everything readers can see of the example projections. */
export async function dumpOf(models: ReadModels): Promise<unknown> {
  const ships = await keysOf(models, "fleet.ship", "all");
  return {
    ships: await Promise.all(ships.map((key) => models.document("fleet.ship", key))),
    logs: await Promise.all(
      ships.map((key) =>
        models.page("fleet.log", { index: "byShip", partition: key, order: "descending", limit: 100 }),
      ),
    ),
    waiting: await keysOf(models, "waiting.ship", "all"),
    berths: await models.page("berths.berth", { index: "all", partition: "all", order: "ascending", limit: 1_000 }),
  };
}

/** More real time than any test needs. */
export const LONG_TIMEOUT_MS = 120_000;
