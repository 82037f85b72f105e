import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { startEventStore, startMongo, startRedis } from "../index.ts";
import type { EngineProvider } from "../providers/engine-provider.ts";
import { engineStarter } from "../providers/engine-starter.ts";
import { selectProvider } from "../providers/select-provider.ts";

interface Fake {
  readonly way: string;
  stop(): Promise<void>;
}

interface Options {
  readonly special?: boolean;
}

const fake = (name: string, missing?: string): EngineProvider<Fake, Options> => ({
  name,
  missingReason: () => missing,
  start: async () => ({ way: name, stop: async () => {} }),
});
const failing = (name: string): EngineProvider<Fake, Options> => ({
  ...fake(name),
  start: async () => {
    throw new Error("it fell over\nat great length");
  },
});

let environment: NodeJS.ProcessEnv;
beforeEach(() => {
  environment = { ...process.env };
});
afterEach(() => {
  process.env = environment;
});

test("the first way that is there is taken", async () => {
  const start = engineStarter("fake", [fake("first", "not here"), fake("second"), fake("third")]);
  expect(start.missingReason()).toBeUndefined();
  expect(await start()).toMatchObject({ way: "second" });
});

test("without a way there is the reason of each", async () => {
  const start = engineStarter("fake", [fake("first", "not here"), fake("second", "not there")]);
  expect(start.missingReason()).toBe("fake: not here; not there");
  expect(await start()).toStrictEqual({ unavailable: "fake: not here; not there" });
});

test("what is there and does not start is told in one line", async () => {
  const start = engineStarter("fake", [failing("first"), fake("second")]);
  expect(start.missingReason()).toBeUndefined();
  expect(await start()).toStrictEqual({ unavailable: "fake: first: it fell over" });
});

test("options decide which way will do", async () => {
  const plain: EngineProvider<Fake, Options> = {
    ...fake("plain"),
    missingReason: ({ special }) => (special ? "too plain" : undefined),
  };
  const start = engineStarter("fake", [plain, fake("special")]);
  expect(await start()).toMatchObject({ way: "plain" });
  expect(await start({ special: true })).toMatchObject({ way: "special" });
  expect(await start.with({ special: true })()).toMatchObject({ way: "special" });
  expect(engineStarter("fake", [plain]).with({ special: true }).missingReason()).toBe("fake: too plain");
});

test("a way that failed when it was tried is passed over from then on", async () => {
  const start = engineStarter("fake", [fake("first", "not here"), failing("second"), fake("third")]);
  expect(await selectProvider(start)).toStrictEqual({
    engine: "fake",
    provider: "third",
    missingReason: undefined,
    failed: [{ way: "second", reason: "it fell over" }],
  });
  expect(await start()).toMatchObject({ way: "third" });
});

test("a way that is expected to work and fails is kept, so that tests fail", async () => {
  const start = engineStarter("fake", [{ ...failing("first"), isExpected: true }, fake("second")]);
  expect(await selectProvider(start)).toStrictEqual({
    engine: "fake",
    provider: "first",
    missingReason: undefined,
    failed: [{ way: "first", reason: "it fell over" }],
  });
  expect(start.missingReason()).toBeUndefined();
  expect(await start()).toStrictEqual({ unavailable: "fake: first: it fell over" });
});

test.each([startRedis, startMongo, startEventStore])(
  "$engine: a container where Docker answers, and no stand-in",
  (start) => {
    const expected = start.providers.filter(({ isExpected }) => isExpected).map(({ name }) => name.split(" ")[0]);
    expect(expected).toStrictEqual(["server", "container"]);
  },
);

test("where every way failed, the engine is missing", async () => {
  const start = engineStarter("fake", [failing("only")]);
  expect(await selectProvider(start)).toStrictEqual({
    engine: "fake",
    provider: undefined,
    missingReason: "fake: it fell over",
    failed: [{ way: "only", reason: "it fell over" }],
  });
  expect(await start()).toStrictEqual({ unavailable: "fake: it fell over" });
});

test("a machine without Redis says so", async () => {
  process.env.TEST_REDIS_URL = "";
  process.env.TEST_DOCKER = "is silent";
  process.env.PATH = "/nowhere";
  const unavailable = "redis: TEST_REDIS_URL is not set; no Docker engine answers; redis-server is not installed";
  expect(startRedis.missingReason()).toBe(unavailable);
  expect(await startRedis()).toStrictEqual({ unavailable });
});
