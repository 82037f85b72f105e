import { readFileSync } from "node:fs";
import { afterEach, expect, test } from "@jest/globals";
import type { KeptRow } from "@travel-booking/read-models";
import { ApiClient } from "../support/api-client.ts";
import { importFlights } from "../support/catalogue.ts";
import { operatorJson } from "../support/operator-cli.ts";
import { Service } from "../support/service.ts";
import { until } from "../support/until.ts";

const ENV = { RATE_LIMIT_PER_MINUTE: "0", SANDBOX_CLOCK: "true" };
const RETENTION_BOOKINGS = "30d";

let service: Service | undefined;
afterEach(() => service?.discard());

const PROFILE = {
  ...{ firstName: "Eve", lastName: "Quist", dateOfBirth: "1985-12-10", nationality: "GB" },
  passport: { number: "L898902C3", expiresOn: "2034-04-15", issuingCountry: "NZ" },
};

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
  const report = () => operatorJson<readonly KeptRow[]>({ DATA_DIR: dataDir }, "privacy", "report");
  const none = { kind: "bookings", held: 3, oldest: expect.any(String), keptForDays: null, from: null, next: [] };
  const nothing = { ...none, held: 0, oldest: null };
  expect(await report()).toStrictEqual([none, { ...nothing, kind: "documents" }, { ...nothing, kind: "passengers" }]);
  await service.kill();

  service = await Service.start({ dataDir, env: { ...ENV, RETENTION_BOOKINGS } });
  const [announced] = await report();
  expect(announced).toStrictEqual({
    ...none,
    keptForDays: 30,
    from: expect.any(String),
    next: expect.arrayContaining([
      { id: flown, since: expect.any(String), due: expect.any(String), waits: false },
      { id: cancelled, since: expect.any(String), due: expect.any(String), waits: false },
      { id: waiting, since: expect.any(String), due: expect.any(String), waits: true },
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
  await until(async () => (await report())[0]?.next.length === 1);
  expect((await report())[0]?.next.map(({ id, waits }) => [id, waits])).toStrictEqual([[waiting, true]]);
  expect(await names()).toStrictEqual([gone, gone, ada, ada]);
  expect(await operatorJson({ DATA_DIR: dataDir }, "erasures", "export")).toHaveLength(2);
});

test("documents go before the party, and saved passengers after their last booking", async () => {
  const kept = { RETENTION_DOCUMENTS: "10d", RETENTION_PASSENGERS: "20d" };
  service = await Service.start({ env: ENV });
  const { dataDir } = service;
  await importFlights(service, [{ id: "LATER", departsIn: 400 }]);
  const { apiKey } = await service.newApiKey();
  const client = new ApiClient(service.baseUrl, { apiKey });
  const save = async (email: string) =>
    (await client.post<{ id: string }>("/v1/passengers", { ...PROFILE, email }, { "idempotency-key": email })).body.id;
  const [unused, used] = [await save("unused@example.com"), await save("used@example.com")];
  await service.operator("POST", "/clock/advance", { seconds: 15 * 86_400 });
  const order = { flightId: "LATER", cabin: "economy", passengers: [{ passengerId: used }] };
  const { id } = (await client.post<{ id: string }>("/v1/bookings", order)).body;
  const form = new FormData();
  form.set("file", new Blob([new Uint8Array(readFileSync("docs/examples/passport.pdf"))]), "pass.pdf");
  const headers = { "x-api-key": apiKey };
  const upload = () =>
    fetch(`${service?.baseUrl}/v1/bookings/${id}/documents`, { method: "POST", headers, body: form });
  expect((await upload()).status).toBe(201);
  await client.post(`/v1/bookings/${id}/cancel`, {});
  await service.kill();

  service = await Service.start({ dataDir, env: { ...ENV, ...kept } });
  const next = async () => {
    const report = await operatorJson<readonly KeptRow[]>({ DATA_DIR: dataDir }, "privacy", "report");
    return report.map(({ next: rows }) => rows.map((row) => row.id));
  };
  expect(await next()).toStrictEqual([[], [id], [unused, used]]);
  await service.operator("POST", "/clock/advance", { seconds: 12 * 86_400 });
  await service.kill();

  service = await Service.start({ dataDir, env: { ...ENV, ...kept } });
  await until(async () => (await next())[2]?.length === 1);
  expect(await next()).toStrictEqual([[], [], [used]]);
  const reader = new ApiClient(service.baseUrl, { apiKey });
  const shown = await reader.get<{ passengers: readonly { name: string }[]; documents: readonly string[] }>(
    `/v1/bookings/${id}`,
  );
  expect([shown.body.passengers[0]?.name, shown.body.documents]).toStrictEqual(["Eve Quist", ["[erased]"]]);
  const profile = async (one: string) =>
    (await reader.get<{ firstName: string }>(`/v1/passengers/${one}`)).body.firstName;
  expect([await profile(unused), await profile(used)]).toStrictEqual(["[erased]", "Eve"]);
  expect((await upload()).status).toBe(404);
  const erased = await operatorJson<readonly object[]>({ DATA_DIR: dataDir }, "erasures", "export");
  const erasedAt = expect.any(String);
  const report = () => operatorJson<readonly KeptRow[]>({ DATA_DIR: dataDir }, "privacy", "report");
  const before = await report();
  await operatorJson({ DATA_DIR: dataDir }, "projection", "rebuild", "passengers");
  expect(await report()).toStrictEqual(before);
  expect(erased).toStrictEqual(
    expect.arrayContaining([
      { kind: "booking", id, documents: true, erasedAt },
      { kind: "passenger", id: unused, erasedAt },
    ]),
  );
});
