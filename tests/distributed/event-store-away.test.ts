import { setTimeout as pause } from "node:timers/promises";
import { afterEach, expect, test } from "@jest/globals";
import { type EventStoreDouble, startEventStoreDouble } from "../engines/eventstoredb/index.ts";
import { importFlights } from "../support/catalogue.ts";
import { Service } from "../support/service.ts";
import { RetryingApi } from "./kit/retrying-api.ts";

/** Longer than an append waits, 3 s. */
const SUSPENDED_MS = 4_000;
const BOOKING = {
  flightId: "AWAY-1",
  cabin: "economy",
  passengers: [{ name: "Ada Lovelace", email: "ada@example.com" }],
};

let service: Service | undefined;
let double: EventStoreDouble | undefined;
afterEach(async () => {
  service?.process.kill("SIGCONT");
  await service?.discard();
  await double?.stop();
});

/** A service with its log on a double, and somebody who books there. */
async function start() {
  double = await startEventStoreDouble();
  service = await Service.start({
    env: {
      EVENT_STORE_URL: double.url,
      LOG_LEVEL: "warn",
      RATE_LIMIT_PER_MINUTE: "0",
      SECRET_KEY: "a-secret-key-of-forty-visible-characters",
    },
  });
  await importFlights(service, [{ id: "AWAY-1", departsIn: 60 }]);
  const { apiKey } = await service.newApiKey();
  return { service, double, apiKey };
}

test("a service that was suspended answers what was asked before, and what is asked afterwards", async () => {
  const { service, double, apiKey } = await start();
  const api = new RetryingApi(service.baseUrl, { apiKey });
  const before = (await double.faults.state()).appends;
  await double.faults.onAppends("hold answer");
  const asked = api.post("/v1/bookings", BOOKING, { "Idempotency-Key": "asked-before-it-was-suspended" });
  while ((await double.faults.state()).appends === before) await pause(5);
  service.process.kill("SIGSTOP");
  await double.faults.release();
  await pause(SUSPENDED_MS);
  service.process.kill("SIGCONT");
  expect((await asked).status).toBe(201);
  expect((await api.post("/v1/bookings", BOOKING)).status).toBe(201);
});

test("readiness names the event store while it has no leader", async () => {
  const { service, double } = await start();
  const readiness = async () => {
    const response = await fetch(`${service.baseUrl}/health/ready`);
    return { status: response.status, body: await response.text() };
  };
  expect(await readiness()).toMatchObject({ status: 200 });
  await double.faults.loseLeader(true);
  let answer = await readiness();
  while (answer.status === 200) answer = await readiness();
  expect(answer).toMatchObject({ status: 503, body: expect.stringContaining("the event store") });
  await double.faults.loseLeader(false);
  while ((await readiness()).status !== 200) await pause(20);
});
