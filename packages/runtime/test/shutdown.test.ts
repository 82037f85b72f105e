import { EventEmitter } from "node:events";
import { expect, test } from "@jest/globals";
import {
  npmParent,
  type ProcessInfo,
  type ReadProcess,
  readLinuxProcess,
  Shutdown,
  silentLogger,
} from "@travel-booking/runtime";

function recorder(deadline?: number) {
  const steps: string[] = [];
  const exit = (code: number) => steps.push(`exit ${code}`);
  const shutdown = new Shutdown({ logger: silentLogger, exit, ...(deadline === undefined ? {} : { deadline }) });
  return { steps, shutdown };
}

test("closers run one after another in reverse order, then the process exits", async () => {
  const { steps, shutdown } = recorder();
  shutdown.register("store", () => steps.push("store"));
  shutdown.register("server", async () => {
    await new Promise(setImmediate);
    steps.push("server");
  });
  await shutdown.stop("test");
  expect(steps).toStrictEqual(["server", "store", "exit 0"]);
});

test("who waits for a stop hears of it before anything has closed", async () => {
  const { steps, shutdown } = recorder();
  shutdown.register("store", () => steps.push("store"));
  shutdown.register("server", async () => {
    await new Promise(setImmediate);
    steps.push("server");
  });
  void shutdown.begun.then(() => steps.push("begun"));
  await shutdown.stop("test");
  expect(steps).toStrictEqual(["begun", "server", "store", "exit 0"]);
});

test("once a stop has begun nothing more is begun that it would have to close", async () => {
  const { steps, shutdown } = recorder();
  const stopped = shutdown.stop("test");
  expect(() => shutdown.register("store", () => steps.push("store"))).toThrow("the service is stopping");
  expect(() => shutdown.run("work", async () => steps.push("work"))).toThrow("the service is stopping");
  await stopped;
  expect(steps).toStrictEqual(["exit 0"]);
});

test("repeated signals stop once", async () => {
  const { steps, shutdown } = recorder();
  shutdown.register("store", () => steps.push("store"));
  const signals = new EventEmitter();
  shutdown.handleSignals(signals);
  signals.emit("SIGTERM");
  signals.emit("SIGINT");
  signals.emit("SIGTERM");
  await shutdown.stop("again");
  expect(steps).toStrictEqual(["store", "exit 0"]);
});

test("a failing closer does not stop the others, and sets the exit code", async () => {
  const { steps, shutdown } = recorder();
  shutdown.register("store", () => steps.push("store"));
  shutdown.register("server", () => Promise.reject(new Error("no")));
  shutdown.register("timer", () => {
    throw new Error("no");
  });
  await shutdown.stop("test");
  expect(steps).toStrictEqual(["store", "exit 1"]);
});

test("work is told when its turn to close has come, and waited for", async () => {
  const { steps, shutdown } = recorder();
  shutdown.register("store", () => steps.push("store"));
  shutdown.run("work", async (signal) => {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    await new Promise(setImmediate);
    steps.push("work");
  });
  shutdown.register("server", () => steps.push("server"));
  await shutdown.stop("test");
  expect(steps).toStrictEqual(["server", "work", "store", "exit 0"]);
});

test("work that is repeated survives a failure, and ends with the process", async () => {
  const { steps, shutdown } = recorder();
  const { promise: again, resolve } = Promise.withResolvers<void>();
  shutdown.repeat("sweep", 1, async () => {
    steps.push("sweep");
    if (steps.length === 1) throw new Error("not now");
    resolve();
  });
  await again;
  await shutdown.stop("test");
  const swept = steps.length;
  await new Promise((ended) => setTimeout(ended, 5));
  expect([steps.at(-1), steps.length]).toStrictEqual(["exit 0", swept]);
});

test("after the deadline the process exits anyway, and says what did not close", async () => {
  const logged: unknown[] = [];
  const logger = { ...silentLogger, error: (...line: unknown[]) => logged.push(line) };
  const steps: string[] = [];
  const shutdown = new Shutdown({ logger, deadline: 5, exit: (code) => steps.push(`exit ${code}`) });
  shutdown.register("server", () => new Promise(() => undefined));
  shutdown.register("reconciliation", () => undefined);
  await shutdown.stop("test");
  expect(steps).toStrictEqual(["exit 1"]);
  expect(logged).toStrictEqual([[{ reason: "test", closing: "server" }, "shutdown deadline exceeded"]]);
});

test("a stop can have its own exit code", async () => {
  const { steps, shutdown } = recorder();
  await shutdown.stop("damaged", 1);
  expect(steps).toStrictEqual(["exit 1"]);
});

/** npm (20, of 10) runs a shell (30) that runs this process. */
function family() {
  const facts = new Map<number, ReturnType<ReadProcess>>([
    [10, { name: "bash", parent: 1 }],
    [20, { name: "npm start", parent: 10 }],
    [30, { name: "sh", parent: 20 }],
  ]);
  let parent = 30;
  const watched = (environment: Record<string, string>) =>
    npmParent({ environment, parent: () => parent, readProcess: (pid) => facts.get(pid) ?? "gone" });
  return {
    facts,
    watch: () => watched({ npm_lifecycle_event: "start" }),
    watched,
    reparent: (pid: number) => {
      parent = pid;
    },
  };
}

test("the end of npm, of its shell, and of neither", () => {
  const { facts, watch, reparent } = family();
  const watched = watch();
  expect(watched?.isGone()).toBe(false);
  facts.set(20, { name: "npm start", parent: 1 });
  expect(watched?.isGone()).toBe(false);
  facts.set(30, { name: "sh", parent: 1 });
  expect(watched?.isGone()).toBe(true);
  facts.set(30, { name: "sh", parent: 20 });
  expect(watched?.isGone()).toBe(false);
  reparent(1);
  expect(watched?.isGone()).toBe(true);
});

test("a shell that can't be looked at now has not ended", () => {
  const { facts, watch } = family();
  const watched = watch();
  facts.set(30, "unknown");
  expect(watched?.isGone()).toBe(false);
  facts.set(30, "gone");
  expect(watched?.isGone()).toBe(true);
});

test("a process is told from one that has ended", () => {
  expect((readLinuxProcess(process.pid) as ProcessInfo).parent).toBe(process.ppid);
  expect(readLinuxProcess(2 ** 30)).toBe("gone");
});

test("if npm has replaced its shell, or the processes are unknown, only the parent is watched", () => {
  const { facts, watch, reparent } = family();
  reparent(20);
  const direct = watch();
  facts.set(20, { name: "npm start", parent: 1 });
  expect(direct?.isGone()).toBe(false);
  facts.clear();
  const unknown = watch();
  expect(unknown?.isGone()).toBe(false);
  reparent(1);
  expect([direct?.isGone(), unknown?.isGone()]).toStrictEqual([true, true]);
});

test("nothing is watched if npm did not start the process", () => {
  expect(family().watched({})).toBe(undefined);
});
