import { afterEach, expect, test } from "@jest/globals";
import { ApiClient } from "../support/api-client.ts";
import { importFlights } from "../support/catalogue.ts";
import { Service } from "../support/service.ts";

let service: Service;
afterEach(() => service.discard());

test("what only tests may ask for is nothing to the service that npm starts", async () => {
  const env = {
    SANDBOX_CLOCK: "true",
    TEST_FAULT_POINT: "book:allocated",
    TEST_HANG_POINT: "book:allocated",
    TEST_CLOCK_AHEAD_SECONDS: "86400",
  };
  service = await Service.start({ env });
  const { body } = await service.operator("GET", "/clock");
  expect(Date.parse((body as { now: string }).now)).toBeLessThanOrEqual(Date.now());
  await importFlights(service, [{ id: "TS-1", departsIn: 60 }]);
  const api = new ApiClient(service.baseUrl, await service.newApiKey());
  const passengers = [{ name: "Ada Lovelace", email: "ada@example.com" }];
  expect((await api.post("/v1/bookings", { flightId: "TS-1", cabin: "economy", passengers })).status).toBe(201);
});
