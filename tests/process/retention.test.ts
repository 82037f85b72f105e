import { afterEach, expect, test } from "@jest/globals";
import { ApiClient } from "../support/api-client.ts";
import { importFlights } from "../support/catalogue.ts";
import { operatorJson } from "../support/operator-cli.ts";
import { Service } from "../support/service.ts";
import { until } from "../support/until.ts";

const ENV = { RATE_LIMIT_PER_MINUTE: "0", SANDBOX_CLOCK: "true" };
const RETENTION_BOOKINGS = "30d";

let service: Service | undefined;
afterEach(() => service?.discard());

interface Report {
  readonly next: readonly { readonly id: string; readonly waits: boolean }[];
}

test("bookings that are over long enough are forgotten, a day after it was set; what is under way waits", async () => {
  service = await Service.start({ env: ENV });
  const { dataDir } = service;
  await importFlights(service, [
    { id: "SOON", departsIn: 3 },
    { id: "LATER", departsIn: 400 },
  ]);
  const { apiKey } = await service.newApiKey();
  const client = new ApiClient(service.baseUrl, { apiKey });
  const passengers = [{ name: "Ada Lovelace", email: "ada@example.com" }];
  const book = async (flightId: string) =>
    (await client.post<{ id: string }>("/v1/bookings", { flightId, cabin: "economy", passengers })).body.id;
  const pay = async (id: string, body: object) =>
    (await client.post<{ id: string }>(`/v1/bookings/${id}/payments`, body, { "idempotency-key": id })).body.id;
  const [flown, cancelled, waiting, toCome] = [
    await book("SOON"),
    await book("LATER"),
    await book("LATER"),
    await book("LATER"),
  ];
  await pay(flown, { type: "card", token: "tok_visa" });
  await pay(toCome, { type: "card", token: "tok_visa" });
  await client.post(`/v1/bookings/${cancelled}/cancel`, {});
  // Its money goes back by the bank, which nobody has done.
  const transfer = { type: "bank_transfer" };
  const { body: payment } = await client.post<{ amount: number; method: { bankTransfer: { reference: string } } }>(
    `/v1/bookings/${waiting}/payments`,
    transfer,
    { "idempotency-key": "transfer" },
  );
  const { reference } = payment.method.bankTransfer;
  await client.post(`/v1/bookings/${waiting}/cancel`, {});
  const arrived = { reference, amount: payment.amount, currency: "USD", entryId: "e1" };
  expect((await service.operator("POST", "/transfers", arrived)).status).toBe(200);
  await service.operator("POST", "/clock/advance", { seconds: 40 * 86_400 });
  const report = () => operatorJson<Report>({ DATA_DIR: dataDir }, "privacy", "report");
  const none = { bookings: 3, oldest: expect.any(String), keptForDays: null, from: null, next: [] };
  expect(await report()).toStrictEqual(none);
  await service.kill();

  service = await Service.start({ dataDir, env: { ...ENV, RETENTION_BOOKINGS } });
  const announced = await report();
  expect(announced).toStrictEqual({
    ...none,
    keptForDays: 30,
    from: expect.any(String),
    next: expect.arrayContaining([
      { id: flown, over: expect.any(String), due: expect.any(String), waits: false },
      { id: cancelled, over: expect.any(String), due: expect.any(String), waits: false },
      { id: waiting, over: expect.any(String), due: expect.any(String), waits: true },
    ]),
  });
  const names = async () => {
    const reader = new ApiClient(service?.baseUrl ?? "", { apiKey });
    const shown = [flown, cancelled, waiting, toCome].map((id) =>
      reader.get<{ passengers: readonly { name: string }[] }>(`/v1/bookings/${id}`),
    );
    return (await Promise.all(shown)).map(({ body }) => body.passengers[0]?.name);
  };
  const [ada, gone] = ["Ada Lovelace", "[erased]"];
  expect(await names()).toStrictEqual([ada, ada, ada, ada]);
  await service.operator("POST", "/clock/advance", { seconds: 86_400 });
  await service.kill();

  // It looks at its start.
  service = await Service.start({ dataDir, env: { ...ENV, RETENTION_BOOKINGS } });
  await until(async () => (await report()).next.length === 1);
  expect((await report()).next.map(({ id, waits }) => [id, waits])).toStrictEqual([[waiting, true]]);
  expect(await names()).toStrictEqual([gone, gone, ada, ada]);
  expect(await operatorJson({ DATA_DIR: dataDir }, "erasures", "export")).toHaveLength(2);
});
