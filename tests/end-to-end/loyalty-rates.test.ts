import { afterAll, expect, test } from "@jest/globals";
import { Service } from "../support/service.ts";
import { Client, expectStatus } from "./kit/client.ts";
import { accountOf } from "./kit/loyalty.ts";
import { DESTINATIONS, flightOf, importCatalogue } from "./kit/world.ts";

const DAY = 24 * 3_600;

let service: Service;
afterAll(() => service.discard());

const start = async (rates: string, dataDir?: string) => {
  const env = { RATE_LIMIT_PER_MINUTE: "0", SANDBOX_CLOCK: "true", LOG_LEVEL: "warn", LOYALTY_RATES: rates };
  service = await Service.start({ env, ...(dataDir !== undefined && { dataDir }) });
};

test("a booking earns by the rate it was made at, whatever the setting says later", async () => {
  await start("KWD=3,JPY=0.01");
  const now = Date.now();
  await importCatalogue(service, {
    destinations: DESTINATIONS,
    flights: [
      flightOf({ id: "DINARS", departsIn: 2, amount: 40_999, currency: "KWD" }, now),
      flightOf({ id: "YEN", departsIn: 2, amount: 12_345, currency: "JPY" }, now),
      flightOf({ id: "DOLLARS", departsIn: 2 }, now),
    ],
  });
  const key = await service.newApiKey();
  const client = () => new Client(service.baseUrl, key);
  const { payment } = await client().paidBooking("DINARS");
  await client().paidBooking("YEN");
  await client().paidBooking("DOLLARS");
  const unpaid = await client().newBooking("DINARS");
  expect((await accountOf(client())).pointsPending).toBe(3 * 40 + 123);

  await service.stop();
  await start("KWD=5", service.dataDir);
  await client().pay(unpaid.id);
  expect((await accountOf(client())).pointsPending).toBe(3 * 40 + 123 + 3 * 40);
  await client().paidBooking("DINARS");
  expect((await accountOf(client())).pointsPending).toBe(3 * 40 + 123 + 3 * 40 + 5 * 40);
  const refund = () => client().post(`/v1/payments/${payment.id}/refunds`, { amount: 10_000 });
  expectStatus(201, await refund());
  expect((await accountOf(client())).pointsPending).toBe(3 * 30 + 123 + 3 * 40 + 5 * 40);
  await service.operator("POST", "/clock/advance", { seconds: 2 * DAY });
  expectStatus(201, await refund());
  expect(await accountOf(client())).toMatchObject({
    pointsPending: 0,
    pointsBalance: 3 * 20 + 123 + 3 * 40 + 5 * 40,
    lifetimePoints: 3 * 20 + 123 + 3 * 40 + 5 * 40,
  });
});
