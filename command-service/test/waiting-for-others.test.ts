import { expect, test } from "@jest/globals";
import { commandRoutes } from "../src/index.ts";
import { apiRequest } from "../testing/index.ts";
import { ADA, party } from "./support/sample.ts";
import { Service } from "./support/service.ts";

const ENDPOINT = { url: "https://8.8.8.8/", events: ["booking.changed"] };

/** Every call of another system that a request makes, and whether the request was in flight meanwhile. */
async function callsOf(service: Service, operation: string, id: string, body: object): Promise<readonly string[]> {
  let uncounted = 0;
  const calls: string[] = [];
  /** Notes whether the caller waits uncounted, in a moment. */
  const noted =
    <Args extends readonly unknown[], Answer>(name: string, call: (...args: Args) => Promise<Answer>) =>
    async (...args: Args): Promise<Answer> => {
      await Promise.resolve();
      calls.push(`${name} ${uncounted > 0 ? "uncounted" : "counted"}`);
      return call(...args);
    };
  const { gateway, webhooks } = service.services;
  const { deliveries } = webhooks;
  const services = {
    ...service.services,
    gateway: {
      ...gateway,
      charge: noted("charge", (charge: Parameters<typeof gateway.charge>[0]) => gateway.charge(charge)),
      refund: noted("refund", (refund: Parameters<typeof gateway.refund>[0]) => gateway.refund(refund)),
    },
    webhooks: {
      ...webhooks,
      checkTarget: noted("look up", webhooks.checkTarget),
      deliveries: {
        status: deliveries.status.bind(deliveries),
        resume: deliveries.resume.bind(deliveries),
        stop: noted("stop", (endpointId: string, now: number) => deliveries.stop(endpointId, now)),
      },
    },
  };
  const route = commandRoutes(services).find((each) => each.operation.id === operation);
  const command = { commandId: service.systems.ids.next(), repeated: false };
  const answer = await route?.handler({
    ...apiRequest({ accountId: ADA, params: { id }, body, command }),
    waitUncounted: async (wait: Promise<never>) => {
      uncounted += 1;
      return wait.finally(() => {
        uncounted -= 1;
      });
    },
  } as never);
  expect([200, 201, 204]).toContain(answer?.status);
  expect(uncounted).toBe(0);
  return calls;
}

test("a request is not in flight while it waits for the gateway, a name server, or the end of deliveries", async () => {
  const service = await Service.start();
  const { body: booking } = await service.book({ passengers: party(1), seats: ["10A"] });
  const card = { type: "card", token: "tok_visa", saveCard: false };
  expect(await callsOf(service, "createPayment", booking.id, card)).toStrictEqual(["charge uncounted"]);
  const [entry] = await service.systems.ledger();
  const refund = { amount: 1_000, reason: "requested_by_customer" };
  expect(await callsOf(service, "createRefund", entry?.paymentId ?? "", refund)).toStrictEqual(["refund uncounted"]);
  expect(await callsOf(service, "cancelBooking", booking.id, {})).toStrictEqual(["refund uncounted"]);
  expect(await callsOf(service, "createWebhookEndpoint", "", ENDPOINT)).toStrictEqual(["look up uncounted"]);
  const { body: endpoint } = await service.call<{ id: string }>("createWebhookEndpoint", {}, ENDPOINT);
  expect(await callsOf(service, "deleteWebhookEndpoint", endpoint.id, {})).toStrictEqual(["stop uncounted"]);
});
