import { setTimeout as pause } from "node:timers/promises";
import { afterEach, expect, test } from "@jest/globals";
import { type EventStoreDouble, startEventStoreDouble } from "../engines/eventstoredb/index.ts";
import { importFlights } from "../support/catalogue.ts";
import { Service } from "../support/service.ts";
import { RetryingApi } from "./kit/retrying-api.ts";

/** Longer than an append waits, 3 s; and longer than its outcome is asked for, 10 s. */
const [SUSPENDED_MS, LONG_SUSPENDED_MS] = [4_000, 12_000];
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
async function start(urlOf: (url: string) => string = (url) => url) {
  double = await startEventStoreDouble();
  service = await Service.start({
    env: {
      EVENT_STORE_URL: urlOf(double.url),
      LOG_LEVEL: "warn",
      RATE_LIMIT_PER_MINUTE: "0",
      SECRET_KEY: "a-secret-key-of-forty-three-visible-characters",
    },
  });
  await importFlights(service, [{ id: "AWAY-1", departsIn: 60 }]);
  const { apiKey } = await service.newApiKey();
  return { service, double, apiKey };
}

test.each([
  ["an append was answered meanwhile", "hold answer", SUSPENDED_MS],
  ["the answer was lost meanwhile", "lose answer", LONG_SUSPENDED_MS],
] as const)(
  "a service that was suspended, %s, goes on with what was asked before, and after",
  async (_, fault, forMs) => {
    const { service, double, apiKey } = await start();
    const api = new RetryingApi(service.baseUrl, { apiKey });
    const before = (await double.faults.state()).appends;
    await double.faults.onAppends(fault);
    const asked = api.post("/v1/bookings", BOOKING, { "Idempotency-Key": "asked-before-it-was-suspended" });
    while ((await double.faults.state()).appends === before) await pause(5);
    service.process.kill("SIGSTOP");
    await double.faults.release();
    await pause(forMs);
    service.process.kill("SIGCONT");
    expect((await asked).status).toBe(201);
    expect((await api.post("/v1/bookings", BOOKING)).status).toBe(201);
  },
);

async function readiness({ baseUrl }: Service) {
  const response = await fetch(`${baseUrl}/health/ready`);
  return { status: response.status, body: await response.text() };
}

async function untilReadiness(service: Service, status: number) {
  let answer = await readiness(service);
  while (answer.status !== status) {
    await pause(20);
    answer = await readiness(service);
  }
  return answer;
}

test("a service is not ready while the event store has no leader, and tells operators so", async () => {
  const { service, double } = await start();
  expect(await readiness(service)).toMatchObject({ status: 200 });
  await double.faults.loseLeader(true);
  expect(JSON.parse((await untilReadiness(service, 503)).body).message).toStrictEqual(["store"]);
  const report = await (await fetch(`${service.operatorUrl}/health/ready`)).json();
  expect(report).toStrictEqual({ missing: ["the event store is not ready"], details: {} });
  await double.faults.loseLeader(false);
  await untilReadiness(service, 200);
});

test("a cluster that loses its leader, then its last node, ends no service; when it is back all goes on by itself", async () => {
  // The fastest discovery, so that it is given up several times.
  const { service, double, apiKey } = await start(
    (url) => `${url.replace(/^esdb/, "esdb+discover")}&maxDiscoverAttempts=3&discoveryInterval=50`,
  );
  const api = new RetryingApi(service.baseUrl, { apiKey });
  const refused = async () => {
    const { status, headers } = await api.post("/v1/bookings", BOOKING);
    expect([status, headers.has("retry-after")]).toStrictEqual([503, true]);
  };
  await double.faults.loseLeader(true);
  await untilReadiness(service, 503);
  await refused();
  await double.kill();
  for (let round = 0; round < 3; round++) {
    await refused();
    expect((await readiness(service)).status).toBe(503);
  }
  await double.restart();
  await untilReadiness(service, 200);
  const booked = await api.post<{ id: string }>("/v1/bookings", BOOKING);
  expect(booked.status).toBe(201);
  expect((await api.get(`/v1/bookings/${booked.body.id}`)).status).toBe(200);
  // The process and its projector's thread say it once each.
  const said = service.stderr.split("\n").filter((line) => line.includes("engine error; retrying"));
  expect(said.map((line) => JSON.parse(line).engine)).toStrictEqual(["EventStoreDB", "EventStoreDB"]);
});
