import { expect, test } from "@jest/globals";
import { silentLogger } from "@travel-booking/runtime";
import { waitForEngines } from "../src/index.ts";

const away = () => Promise.reject(new Error("connect ECONNREFUSED user:hidden@10.0.0.1"));
const NOT_ANSWERED = /^the server that REDIS_URL names does not answer: start it, or correct the address$/;

test("waits for a server that is starting", async () => {
  let pings = 0;
  const ping = async () => {
    pings += 1;
    return pings > 1;
  };
  await waitForEngines([{ variable: "MONGODB_URL", ping }], silentLogger);
  expect(pings).toBe(2);
});

test("gives up on a server that stays away, with the name of its setting and without the address", async () => {
  const engines = [
    { variable: "MONGODB_URL", ping: async () => "pong" },
    { variable: "REDIS_URL", ping: away },
  ];
  await expect(waitForEngines(engines, silentLogger, { timeoutMs: 0 })).rejects.toThrow(NOT_ANSWERED);
});

test("a server that never answers a ping counts as one that is away", async () => {
  const engines = [{ variable: "REDIS_URL", ping: () => new Promise(() => undefined) }];
  const waiting = waitForEngines(engines, silentLogger, { timeoutMs: 0, pingTimeoutMs: 10 });
  await expect(waiting).rejects.toThrow(NOT_ANSWERED);
});
