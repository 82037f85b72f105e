import { expect, test } from "@jest/globals";
import { EngineUnavailable } from "@travel-booking/engines/unavailable";
import { StartupError, silentLogger } from "@travel-booking/runtime";
import { ServerConnections } from "../src/index.ts";

const NOT_ANSWERED = /^the server that REDIS_URL names does not answer: start it, or correct the address$/;

function connections(
  servers: { MongoDB?: () => Promise<unknown>; Redis?: () => Promise<unknown> },
  startTimeoutSeconds = 30,
) {
  const settings = { startTimeoutSeconds };
  const opened = new ServerConnections({ settings, logger: silentLogger, shutdown: { register() {} } });
  for (const [name, ping] of Object.entries(servers)) opened.open(name as "Redis", () => ({ ping, close() {} }));
  return opened;
}

test("waits for a server that is starting", async () => {
  let pings = 0;
  const MongoDB = async () => {
    pings += 1;
    return pings > 1;
  };
  await connections({ MongoDB }).waitUntilReachable();
  expect(pings).toBe(2);
});

test("gives up on a server that stays away, with the name of its setting and without the address", async () => {
  const Redis = () => Promise.reject(new Error("connect ECONNREFUSED user:hidden@10.0.0.1"));
  const waiting = connections({ MongoDB: async () => "pong", Redis }, 0).waitUntilReachable();
  await expect(waiting).rejects.toThrow(NOT_ANSWERED);
});

test("nobody waits for a server that refuses this process as it is set up", async () => {
  class Refused extends EngineUnavailable {
    override readonly engine = "Redis";
  }
  const refused = new Refused("it does not accept the password", { isMisconfigured: true });
  const waiting = connections({ Redis: () => Promise.reject(refused) }).waitUntilReachable();
  await expect(waiting).rejects.toThrow("REDIS_URL is not usable: it does not accept the password");
  await expect(waiting).rejects.toThrow(StartupError);
});

test("a server that never answers a ping counts as one that is away", async () => {
  const Redis = () => new Promise(() => undefined);
  const waiting = connections({ Redis }, 0).waitUntilReachable(10);
  await expect(waiting).rejects.toThrow(NOT_ANSWERED);
});

test("a service is ready without Redis, and not without MongoDB", async () => {
  const away = () => Promise.reject(new Error("away"));
  const { readiness } = connections({ MongoDB: away, Redis: away });
  expect(Object.keys(readiness)).toStrictEqual(["the read store"]);
  await expect(readiness["the read store"]?.()).rejects.toThrow("away");
});

test("an address that an engine can't use is named by its setting", () => {
  const open = () => {
    throw new Error("tls has a value it can't have");
  };
  const opening = () => connections({}).open("EventStoreDB", open);
  expect(opening).toThrow("EVENT_STORE_URL is not usable: tls has a value it can't have");
  expect(opening).toThrow(StartupError);
});
