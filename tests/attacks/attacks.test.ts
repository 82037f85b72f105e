import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { ApiClient } from "../support/api-client.ts";
import { importFlights } from "../support/catalogue.ts";
import { Service } from "../support/service.ts";
import { until } from "../support/until.ts";
import { ATTACKS, type Attack } from "./kit/attacks.ts";

/** The hardest case: no limit stops anybody. */
const ENV = {
  RATE_LIMIT_PER_MINUTE: "0",
  LOG_LEVEL: "error",
  NODE_OPTIONS: `--expose-gc --import ${join(import.meta.dirname, "kit", "tell-memory.ts")}`,
};
const ATTACK_MS = 3_000;
const MAX_MEMORY = 800 * 1_048_576;
/** Three times what a service needs that nobody attacks. */
const MAX_MEMORY_KEPT = 250 * 1_048_576;
/** What the customer and this test keep open themselves. */
const OWN_CONNECTIONS = 20;

let service: Service;
let customer: ApiClient;
let apiKey: string;

beforeAll(async () => {
  service = await Service.start({ env: ENV });
  await importFlights(
    service,
    Object.keys(ATTACKS).map((_, index) => ({ id: `AT-${index}`, departsIn: 60, rows: [10, 500] as const })),
  );
  ({ apiKey } = await service.newApiKey());
  customer = new ApiClient(service.baseUrl, { apiKey });
});
afterAll(() => service.discard());

test.each(Object.keys(ATTACKS).map((name, index) => [name, `AT-${index}`] as const))(
  "a customer is served during an attack by %s, and the service gets over it",
  async (name, flightId) => {
    const { hostname: host, port } = new URL(service.baseUrl);
    const crowd = (ATTACKS[name] as Attack)({ host, port: Number(port) });
    try {
      await until(async () => crowd.opened > 0);
      const ends = performance.now() + ATTACK_MS;
      do {
        await buy(flightId);
        expect(await newcomer()).toBe(200);
        expect(await metric("process_resident_memory_bytes")).toBeLessThan(MAX_MEMORY);
      } while (performance.now() < ends);
    } finally {
      crowd.leave();
    }
    await until(async () => (await metric('nodejs_active_resources{type="TCPSocketWrap"}')) < OWN_CONNECTIONS);
    expect(await metrics()).not.toMatch(/^(?:http_requests_in_flight\{.*\}|event_waits) [^0]/m);
    expect(await memoryInUse()).toBeLessThan(MAX_MEMORY_KEPT);
    await buy(flightId);
  },
);

/** Books, pays and reads. */
async function buy(flightId: string): Promise<void> {
  const booked = await customer.post<{ id: string }>("/v1/bookings", {
    flightId,
    cabin: "economy",
    passengers: [{ name: "Ada Lovelace", email: "ada@example.com" }],
  });
  expect([booked.status, booked.body]).toStrictEqual([201, expect.anything()]);
  const path = `/v1/bookings/${booked.body.id}`;
  const key = { "Idempotency-Key": booked.body.id };
  expect((await customer.post(`${path}/payments`, { type: "card", token: "tok_visa" }, key)).status).toBe(201);
  const read = await customer.get<{ status: string }>(path);
  expect([read.status, read.body.status]).toStrictEqual([200, "confirmed"]);
}

/** The status that a customer gets on a connection of its own. */
async function newcomer(): Promise<number | undefined> {
  const asking = get(`${service.baseUrl}/v1/flights?limit=1`, { agent: false, headers: { "x-api-key": apiKey } });
  const [response] = (await once(asking, "response")) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

/** Bytes that are no garbage. */
async function memoryInUse(): Promise<number> {
  const told = () => [...service.stdout.matchAll(/^in use: (\d+)$/gm)].map(([, bytes]) => Number(bytes));
  const before = told().length;
  service.process.kill("SIGUSR2");
  await until(async () => told().length > before);
  return told().at(-1) as number;
}

async function metrics(): Promise<string> {
  return (await fetch(service.metricsUrl)).text();
}

/** 0: nothing to count. */
async function metric(name: string): Promise<number> {
  const line = (await metrics()).split("\n").find((text) => text.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1) ?? 0);
}
