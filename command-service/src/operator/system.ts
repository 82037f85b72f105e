import { setImmediate, setTimeout } from "node:timers/promises";
import type { EventStore, RecordedEvent } from "@travel-booking/engines/event-store";
import { OperatorError, type OperatorRequest, type OperatorRoute, operatorRoute } from "@travel-booking/http/operator";
import {
  type EventReference,
  type ProjectionStatus,
  type ProjectorControl,
  ProjectorRefusal,
  type RebuildProgress,
  type RebuildResult,
  type SkippedEvents,
  skipFailedEvent,
} from "@travel-booking/read-models/control";
import { type SandboxClock, type Settings, type Shutdown, shownSettings } from "@travel-booking/runtime";
import { CLOCK_SYNC_INTERVAL_MS, syncClock } from "@travel-booking/service-host";
import { z } from "zod";
import { EVENTS, latestOf, positionIn, revisionIn } from "./event-pages.ts";
import { type OperatorServices, parse } from "./operator-services.ts";

/** The limit is far beyond all scheduled work, and far from the end of calendar time. */
const MAX_ADVANCE_DAYS = 36_600;
const SECONDS_PER_DAY = 86_400;

const advance = z.strictObject({ seconds: z.int().min(1) });

export interface ClockServices {
  readonly clock: SandboxClock;
  /** `SANDBOX_CLOCK`. */
  readonly movable: boolean;
  /** Runs everything that falls due on the way, each task at its due time, until the signal aborts. */
  readonly advanceBy: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** `clock show`, `clock advance`. */
export function clockRoutes(services: ClockServices): readonly OperatorRoute[] {
  const { clock, movable, advanceBy } = services;
  const shown = () => ({
    now: new Date(clock.now()).toISOString(),
    offsetSeconds: Math.round(clock.offset / 1000),
  });
  return [
    operatorRoute("GET", "/operator/clock", async () => shown()),
    operatorRoute("POST", "/operator/clock/advance", async (request) => {
      const { seconds } = parse(advance, request.body);
      if (seconds > MAX_ADVANCE_DAYS * SECONDS_PER_DAY) {
        throw new OperatorError(400, `the clock moves at most ${MAX_ADVANCE_DAYS} days at once (a hundred years)`);
      }
      if (!movable) {
        throw new OperatorError(409, "the clock can't be moved: start the service with SANDBOX_CLOCK=true");
      }
      await advanceBy(seconds * 1000, request.closed);
      return shown();
    }),
  ];
}

/** Other instances poll the clock, and the progress of projections, equally often. A busy one may miss a poll. */
const POLLS = 5;

/** A clock that all instances share. Advancing it resolves when the others have had time to follow. */
export function sharedClock(
  clock: SandboxClock,
  movable: boolean,
  advanceBy: ClockServices["advanceBy"],
  shutdown: Shutdown,
): ClockServices {
  if (movable) syncClock(clock, shutdown);
  return {
    clock,
    movable,
    async advanceBy(milliseconds, signal) {
      await advanceBy(milliseconds, signal);
      await setTimeout(POLLS * CLOCK_SYNC_INTERVAL_MS);
    },
  };
}

/** `stream show`: the latest events, those `before` a revision, or those up to the position `until`. */
export function streamRoutes({ store }: Pick<OperatorServices, "store">): readonly OperatorRoute[] {
  return [
    {
      method: "GET",
      path: "/operator/streams/:stream",
      async lines({ params: { stream = "" }, query }) {
        const all = await countEvents(store.asStored, stream, positionIn(query, "until"));
        if (all === 0) throw new OperatorError(404, "no stream with this name");
        const end = Math.min(all, revisionIn(query, "before") ?? all);
        const from = Math.max(0, end - EVENTS);
        const events = end === 0 ? [] : await store.readStream(stream, from, end - from);
        return asLines(latestOf(events.map(shownEvent)));
      },
    },
  ];
}

const COUNTED_AT_ONCE = 500;

/** How many events a stream has, or has up to a position. None is opened. */
async function countEvents(store: Pick<EventStore, "readStream">, stream: string, until?: bigint): Promise<number> {
  for (let count = 0; ; count += COUNTED_AT_ONCE) {
    const read = await store.readStream(stream, count, COUNTED_AT_ONCE);
    const counted = until === undefined ? read : read.filter(({ position }) => position <= until);
    if (counted.length < COUNTED_AT_ONCE) return count + counted.length;
    await setImmediate();
  }
}

/**
 * `event tail`: the events that are appended to the log from now on.
 * @param stopping resolves when the service stops.
 */
export function tailRoutes(
  store: Pick<EventStore, "subscribe" | "head">,
  stopping: Promise<void>,
): readonly OperatorRoute[] {
  return [
    {
      method: "GET",
      path: "/operator/events",
      async lines({ closed }) {
        const stopped = new AbortController();
        void stopping.then(() => stopped.abort());
        const signal = AbortSignal.any([closed, stopped.signal]);
        return linesOf(store.subscribe({ after: await store.head(), signal }));
      },
    },
  ];
}

async function* linesOf(batches: AsyncIterable<readonly RecordedEvent[]>): AsyncIterable<unknown> {
  for await (const batch of batches) yield* batch.map(shownEvent);
}

async function* asLines(values: readonly unknown[]): AsyncIterable<unknown> {
  yield* values;
}

/** An event for output. Positions are text, because a JSON number can't hold large ones exactly. */
export function shownEvent(event: RecordedEvent): object {
  const { sealed: _, ...shown } = event;
  return { ...shown, at: new Date(event.at).toISOString(), position: String(event.position) };
}

/**
 * `projection list`, `rebuild`, `rebuild --all`, `retry`, `skip`.
 * @param beforeAll called before all projections are rebuilt.
 * @param stopping resolves when the service stops. Then no answer waits any longer.
 */
export function projectionRoutes(
  projector: ProjectorControl,
  skippedEvents: SkippedEvents,
  stopping: Promise<void>,
  beforeAll: () => Promise<void>,
): readonly OperatorRoute[] {
  const stopped = () =>
    stopping.then(() => {
      throw new OperatorError(503, "the service is stopping");
    });
  const rebuild = (name: string, onProgress: (progress: RebuildProgress) => void) =>
    Promise.race([projector.rebuild(name, onProgress), stopped()]);
  const shown = async (status: ProjectionStatus) => ({
    ...status,
    failedAt: status.failedAt && placeOf(status.failedAt),
    skipped: (await skippedEvents.of(status.name)).map(placeOf),
  });
  const resumeRoute = (verb: "retry" | "skip", resume: (name: string) => Promise<ProjectionStatus>) =>
    operatorRoute("POST", `/operator/projections/:name/${verb}`, async (request) =>
      shown(await withOperatorErrors(Promise.race([resume(nameOf(request)), stopped()]))),
    );
  return [
    operatorRoute("GET", "/operator/projections", async () => ({
      data: await Promise.all((await projector.list()).map(shown)),
    })),
    {
      method: "POST",
      path: "/operator/projections/:name/rebuild",
      async lines(request) {
        const name = nameOf(request);
        await mustExist(projector, name);
        return rebuildLines([name], rebuild);
      },
    },
    {
      method: "POST",
      path: "/operator/projections/rebuild",
      async lines() {
        const names = (await projector.list()).map(({ name }) => name);
        await beforeAll();
        return rebuildLines(names, rebuild);
      },
    },
    resumeRoute("retry", (name) => projector.retry(name)),
    resumeRoute("skip", (name) => skipFailedEvent(projector, skippedEvents, name)),
  ];
}

const placeOf = ({ stream, position }: EventReference) => `${stream}@${position}`;

const nameOf = (request: OperatorRequest) => request.params.name ?? "";

async function mustExist(projector: ProjectorControl, name: string): Promise<void> {
  const known = (await projector.list()).some((status) => status.name === name);
  if (!known) throw new OperatorError(404, `there is no projection ${name}`);
}

async function withOperatorErrors(answer: Promise<ProjectionStatus>): Promise<ProjectionStatus> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof ProjectorRefusal)) throw error;
    throw new OperatorError(error.code === "unknown_projection" ? 404 : 409, error.message);
  }
}

type Rebuild = (name: string, onProgress: (progress: RebuildProgress) => void) => Promise<RebuildResult>;

/** Rebuilds one projection after another. Yields lines of progress, then the result or the error of each. */
function rebuildLines(names: readonly string[], rebuild: Rebuild): AsyncIterable<unknown> {
  let before: Promise<unknown> = Promise.resolve();
  return joined(
    names.map((name) =>
      progressLines((onProgress) => {
        const rebuilt = before.then(() => rebuild(name, onProgress));
        before = rebuilt.catch(() => undefined);
        return rebuilt;
      }),
    ),
  );
}

async function* joined(parts: readonly AsyncIterable<unknown>[]): AsyncIterable<unknown> {
  for (const part of parts) yield* part;
}

/** Begins work, which goes on without a reader. Yields lines of progress, then the result or the error. */
export function progressLines<Progress, Result>(
  work: (onProgress: (progress: Progress) => void) => Promise<Result>,
): AsyncIterable<unknown> {
  const lines: unknown[] = [];
  let wake: () => void = () => undefined;
  const push = (line: unknown) => {
    lines.push(line);
    wake();
  };
  let ended = false;
  void work((progress) => push({ progress }))
    .then((result) => push({ result }))
    .catch((error: unknown) => push({ error: { message: error instanceof Error ? error.message : String(error) } }))
    .then(() => {
      ended = true;
      wake();
    });
  async function* read(): AsyncGenerator<unknown> {
    while (!ended || lines.length > 0) {
      const next = lines.shift();
      if (next !== undefined) yield next;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  }
  return read();
}

/** The response to `backup` if any store is on a server. */
export const NO_EMBEDDED_STORES = "backup copies embedded stores: a server is backed up with its own tools";

/** `settings`: the settings of the instance that answers. */
export function settingsRoute(settings: Settings): OperatorRoute {
  return operatorRoute("GET", "/operator/settings", async () => shownSettings(settings));
}

/** `backup` if no store is embedded. */
export const noBackupRoute = operatorRoute("POST", "/operator/backup", async () => {
  throw new OperatorError(409, NO_EMBEDDED_STORES);
});
