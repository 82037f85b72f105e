import { afterEach, expect, test } from "@jest/globals";
import { ApiClient } from "../support/api-client.ts";
import { importFlights } from "../support/catalogue.ts";
import { Service } from "../support/service.ts";
import { downgradeReadModels } from "./kit/downgrade-read-models.ts";

const ENV = { RATE_LIMIT_PER_MINUTE: "0", LOG_LEVEL: "warn" };

interface Feed {
  readonly data: readonly { readonly id: string; readonly type: string }[];
}

let service: Service | undefined;
afterEach(() => service?.discard());

test("read models of a former version are built anew before anything is served", async () => {
  service = await Service.start({ env: ENV });
  const { dataDir } = service;
  await importFlights(service, [{ id: "UP-1", departsIn: 60 }]);
  const { apiKey } = await service.newApiKey();
  const client = () => new ApiClient(service?.baseUrl ?? "", { apiKey });
  const feed = async () => (await client().get<Feed>("/v1/events?limit=100")).body.data;
  for (let count = 0; count < 5; count += 1) {
    const passengers = [{ name: "Ada Lovelace", email: "ada@example.com" }];
    const { id } = (
      await client().post<{ id: string }>("/v1/bookings", { flightId: "UP-1", cabin: "economy", passengers })
    ).body;
    const key = { "Idempotency-Key": id };
    await client().post(`/v1/bookings/${id}/payments`, { type: "card", token: "tok_visa" }, key);
  }
  const events = await feed();
  expect(events.length).toBe(10);

  await service.stop();
  await downgradeReadModels(dataDir);
  service = await Service.start({ dataDir, env: ENV });
  expect(await feed()).toStrictEqual(events);
  expect((await client().get(`/v1/events/${events[0]?.id}`)).body).toStrictEqual(events[0]);
  const url = "https://8.8.8.8/events";
  const made = await client().post<{ id: string }>("/v1/webhook-endpoints", { url, events: ["payment.failed"] });
  expect(made.status).toBe(201);
  expect((await client().get<Feed>("/v1/webhook-endpoints")).body.data.map(({ id }) => id)).toStrictEqual([
    made.body.id,
  ]);
  expect((await service.stop()).stderr).toBe("");
});
