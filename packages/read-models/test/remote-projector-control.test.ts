import { afterEach, describe, expect, jest, test } from "@jest/globals";
import { InMemoryStateStore } from "@travel-booking/engines/state-store/testing";
import {
  type EventReference,
  type ProjectionStatus,
  type ProjectorControl,
  ProjectorRefusal,
  type RebuildProgress,
  type RebuildResult,
  RemoteProjectorControl,
  serveRequests,
} from "../src/control/index.ts";
import { type ProjectionRequest, REQUESTS } from "../src/control/projection-requests.ts";

const LIVE: ProjectionStatus = { name: "fleet", state: "live", position: "7", lag: 0, error: null, failedAt: null };
const EVENT: EventReference = { id: "event", type: "Exploded", stream: "ship-a", position: "8" };
const STOPPED: ProjectionStatus = { ...LIVE, state: "stopped", error: "no such ship", failedAt: EVENT };
const REBUILT: RebuildResult = { name: "fleet", events: 3, seconds: 1 };
const HALF: RebuildProgress = { position: 5, head: 10, rate: 2, secondsLeft: 1 };

const REBUILD: ProjectionRequest = { id: "asked", verb: "rebuild", worker: null, progress: null, outcome: null };

/** A projector that does what a test tells it to. */
class ScriptedProjector implements ProjectorControl {
  status: ProjectionStatus = LIVE;
  readonly asked: string[] = [];
  rebuilding = Promise.withResolvers<RebuildResult>();
  tell: (progress: RebuildProgress) => void = () => undefined;

  async list(): Promise<readonly ProjectionStatus[]> {
    return [this.status];
  }

  rebuild(name: string, onProgress: (progress: RebuildProgress) => void = () => undefined): Promise<RebuildResult> {
    this.asked.push(`rebuild ${name}`);
    this.tell = onProgress;
    return this.rebuilding.promise;
  }

  async retry(name: string): Promise<ProjectionStatus> {
    this.asked.push(`retry ${name}`);
    if (this.status.state === "live") throw new ProjectorRefusal("not_stopped", `${name} is not stopped`);
    this.status = LIVE;
    return this.status;
  }
}

const store = () => new InMemoryStateStore();
const running: AbortController[] = [];
afterEach(() => {
  for (const one of running.splice(0)) one.abort();
});

const requestAt = async (desk: InMemoryStateStore) => (await desk.get<ProjectionRequest>(REQUESTS, "fleet"))?.value;

function serve(desk: InMemoryStateStore, projector: ProjectorControl, worker = "one") {
  const stop = new AbortController();
  running.push(stop);
  const problems: unknown[] = [];
  const served = serveRequests({
    state: desk,
    projection: "fleet",
    projector,
    mayServe: async () => true,
    instanceId: worker,
    signal: stop.signal,
    onProblem: (error) => problems.push(error),
  });
  const end = () => {
    stop.abort();
    return served;
  };
  return { problems, stop: end };
}

function control(desk: InMemoryStateStore) {
  return new RemoteProjectorControl({
    state: desk,
    projections: ["fleet"],
    head: async () => 10n,
    positionOf: () => 7n,
  });
}

describe("a projector controlled through the shared state store", () => {
  test("a rebuild is done by the instance that runs the projection, and its progress is reported", async () => {
    const desk = store();
    const projector = new ScriptedProjector();
    serve(desk, projector);
    const told: RebuildProgress[] = [];
    const heard = Promise.withResolvers<void>();
    const rebuilt = control(desk).rebuild("fleet", (progress) => {
      told.push(progress);
      heard.resolve();
    });
    while (projector.asked.length === 0) await new Promise(setImmediate);
    projector.tell(HALF);
    await heard.promise;
    projector.rebuilding.resolve(REBUILT);
    expect(await rebuilt).toStrictEqual(REBUILT);
    expect(told).toStrictEqual([HALF]);
    expect(projector.asked).toStrictEqual(["rebuild fleet"]);
  });

  test("a refusal of the projector keeps its code", async () => {
    const desk = store();
    serve(desk, new ScriptedProjector());
    const refusal = await control(desk)
      .retry("fleet")
      .catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ProjectorRefusal);
    expect(refusal).toMatchObject({ code: "not_stopped", message: "fleet is not stopped" });
  });

  test("one request at a time, and another after it", async () => {
    const desk = store();
    const projector = new ScriptedProjector();
    serve(desk, projector);
    const rebuilt = control(desk).rebuild("fleet");
    while (projector.asked.length === 0) await new Promise(setImmediate);
    await expect(control(desk).retry("fleet")).rejects.toMatchObject({ code: "rebuild_under_way" });
    projector.rebuilding.resolve(REBUILT);
    await rebuilt;
    projector.status = STOPPED;
    expect(await control(desk).retry("fleet")).toStrictEqual(LIVE);
  });

  test.each(["other", "one"])("a rebuild whose projector has ended is done by the next: instance %s", async (next) => {
    const desk = store();
    const ended = new ScriptedProjector();
    const first = serve(desk, ended);
    const rebuilt = control(desk).rebuild("fleet");
    while (ended.asked.length === 0) await new Promise(setImmediate);
    await first.stop();
    const projector = new ScriptedProjector();
    serve(desk, projector, next);
    while (projector.asked.length === 0) await new Promise(setImmediate);
    projector.rebuilding.resolve(REBUILT);
    expect(await rebuilt).toStrictEqual(REBUILT);
    expect([ended.asked, projector.asked]).toStrictEqual([["rebuild fleet"], ["rebuild fleet"]]);
  });

  test("a retry whose projector has ended was done at the start of the next, whose status is the result", async () => {
    const desk = store();
    await desk.create(REQUESTS, "fleet", { ...REBUILD, verb: "retry", worker: "ended" });
    serve(desk, new ScriptedProjector());
    while ((await requestAt(desk))?.outcome === null) await new Promise(setImmediate);
    expect((await requestAt(desk))?.outcome).toStrictEqual({ result: LIVE });
  });

  test("what a projector's end interrupts is no failure", async () => {
    const desk = store();
    await desk.create(REQUESTS, "fleet", REBUILD);
    const projector = new ScriptedProjector();
    const { stop } = serve(desk, projector);
    while (projector.asked.length === 0) await new Promise(setImmediate);
    const [reading, mayRead] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const held = jest.spyOn(desk, "get").mockImplementationOnce(async (space, key) => {
      reading.resolve();
      await mayRead.promise;
      return InMemoryStateStore.prototype.get.call(desk, space, key) as never;
    });
    await reading.promise;
    held.mockRestore();
    const ended = stop();
    projector.rebuilding.reject(new Error("aborted"));
    await new Promise(setImmediate);
    mayRead.resolve();
    await ended;
    expect((await requestAt(desk))?.outcome).toBeNull();
  });

  test("a claim whose answer is lost is made again, and the work is done once", async () => {
    const desk = store();
    const projector = new ScriptedProjector();
    jest.spyOn(desk, "replace").mockImplementationOnce(async (...args) => {
      await InMemoryStateStore.prototype.replace.apply(desk, args);
      throw new Error("no answer");
    });
    const { problems } = serve(desk, projector);
    projector.rebuilding.resolve(REBUILT);
    expect(await control(desk).rebuild("fleet")).toStrictEqual(REBUILT);
    expect([projector.asked, problems]).toStrictEqual([["rebuild fleet"], [new Error("no answer")]]);
  });

  test("an unknown projection is refused at once", async () => {
    await expect(control(store()).rebuild("nothing")).rejects.toMatchObject({ code: "unknown_projection" });
  });

  test("the list has the status last reported, with position and lag", async () => {
    const desk = store();
    const projector = new ScriptedProjector();
    expect(await control(desk).list()).toStrictEqual([{ ...LIVE, lag: 3 }]);
    projector.status = STOPPED;
    serve(desk, projector);
    while ((await control(desk).list())[0]?.state !== "stopped") await new Promise(setImmediate);
    expect(await control(desk).list()).toStrictEqual([{ ...STOPPED, lag: 3 }]);
  });

  test("failures of the state store are reported, and polling goes on", async () => {
    const desk = store();
    const projector = new ScriptedProjector();
    let failures = 2;
    const failing = new Proxy(desk, {
      get(target, property) {
        const value = Reflect.get(target, property, target) as unknown;
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          if (failures-- > 0) return Promise.reject(new Error("out of reach"));
          return (value as (...args: unknown[]) => unknown).apply(target, args);
        };
      },
    });
    projector.status = STOPPED;
    const { problems } = serve(failing, projector);
    expect(await control(desk).retry("fleet")).toStrictEqual(LIVE);
    expect(problems).toHaveLength(2);
  });
});
