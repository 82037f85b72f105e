import { expect, jest, test } from "@jest/globals";
import type { NewWebhookEndpointBody } from "@travel-booking/api-contract";
import { afterFailure, afterSuccess } from "@travel-booking/domain";
import { silentLogger } from "@travel-booking/runtime";
import { DeliveryStore } from "@travel-booking/webhooks/deliveries";
import { recordEndpointHealth } from "../../src/processes/endpoint-health.ts";
import { ADA, T0 } from "../support/sample.ts";
import { ExternalSystems, Service } from "../support/service.ts";

const BODY = { url: "https://8.8.8.8/events", events: ["endpoint.failing"] };

async function failingEndpoint() {
  const service = new Service(new ExternalSystems());
  const { id } = (await service.call<NewWebhookEndpointBody>("createWebhookEndpoint", {}, BODY)).body;
  await service.systems.newEvents();
  const stored = new DeliveryStore(service.systems.state);
  await stored.endpoints.change(id, (health) =>
    afterFailure(health, { at: T0, reason: "it answered 500", gone: false }),
  );
  await stored.failing.add(id, ADA);
  const logger = { warn: jest.fn(), info: jest.fn() };
  const look = () => recordEndpointHealth({ ...service.services, stored, logger: { ...silentLogger, ...logger } });
  const left = async () => (await Array.fromAsync(stored.failing.all())).map(({ isRecorded }) => isRecorded);
  const logged = () => [logger.warn.mock.calls, logger.info.mock.calls];
  return { service, stored, id, look, left, logged };
}

test("a failure is recorded and logged once, and its end once", async () => {
  const { service, stored, id, look, left, logged } = await failingEndpoint();
  await look();
  await look();
  await stored.failing.add(id, ADA);
  await look();
  expect(await service.systems.newEvents()).toStrictEqual([
    {
      stream: `webhookEndpoints-${ADA}`,
      type: "WebhookEndpointFailing",
      data: { endpointId: id, accountId: ADA, status: "failing", reason: "it answered 500", since: T0 },
    },
  ]);
  expect(await left()).toStrictEqual([true]);
  await stored.endpoints.change(id, (health) => afterSuccess(health, T0 + 1));
  await look();
  await look();
  expect(await service.systems.newEventTypes()).toStrictEqual(["WebhookEndpointRecovered"]);
  expect(await left()).toStrictEqual([]);
  expect(logged()).toStrictEqual([
    [[{ endpointId: id, reason: "it answered 500" }, "a webhook endpoint begins to fail"]],
    [[{ endpointId: id }, "a webhook endpoint works again"]],
  ]);
});

test("of a failure that is over before anybody looked nothing is recorded, nor of an endpoint that is deleted", async () => {
  const over = await failingEndpoint();
  await over.stored.endpoints.change(over.id, (health) => afterSuccess(health, T0 + 1));
  await over.look();
  expect([await over.service.systems.newEvents(), await over.left(), over.logged()]).toStrictEqual([[], [], [[], []]]);
  const deleted = await failingEndpoint();
  await deleted.service.call("deleteWebhookEndpoint", { id: deleted.id }, {});
  await deleted.look();
  expect([await deleted.service.systems.newEventTypes(), await deleted.left()]).toStrictEqual([
    ["WebhookEndpointDeleted"],
    [],
  ]);
});
