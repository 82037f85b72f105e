import { afterEach, describe, expect, test } from "@jest/globals";
import type { WebhookEndpointsEvent } from "@travel-booking/domain";
import { webhooks } from "../../src/projections/webhooks.ts";
import { closeAll, DELIVERIES, deliver, type GivenEvent } from "./kit/deliver.ts";

const T0 = Date.UTC(2027, 0, 1);
const EVENTS = ["booking.confirmed", "payment.failed"] as const;

function of(accountId: string, event: WebhookEndpointsEvent): GivenEvent {
  return [`webhookEndpoints-${accountId}`, event];
}

function registered(accountId: string, endpointId: string): GivenEvent {
  const data = { accountId, endpointId, url: `https://example.com/${endpointId}`, events: EVENTS };
  return of(accountId, { type: "WebhookEndpointRegistered", at: T0, data });
}

function deleted(accountId: string, endpointId: string): GivenEvent {
  return of(accountId, { type: "WebhookEndpointDeleted", at: T0 + 1, data: { accountId, endpointId } });
}

const shown = (id: string) => ({ id, url: `https://example.com/${id}`, events: EVENTS });

describe.each(DELIVERIES)("webhook endpoints, delivered %s", (delivery) => {
  afterEach(closeAll);

  test("are listed by account and all together, in the order they were registered, until they are deleted", async () => {
    const made = await deliver(
      webhooks,
      [
        registered("acc_1", "whe_1"),
        registered("acc_2", "whe_2"),
        registered("acc_1", "whe_3"),
        deleted("acc_1", "whe_1"),
        registered("acc_1", "whe_4"),
      ],
      delivery,
    );
    const list = (index: string, partition: string) => made.list("webhooks.endpoint", index, partition);
    expect(await list("byAccount", "acc_1")).toStrictEqual([shown("whe_3"), shown("whe_4")]);
    expect(await list("byAccount", "acc_2")).toStrictEqual([shown("whe_2")]);
    expect(await list("all", "all")).toStrictEqual([shown("whe_2"), shown("whe_3"), shown("whe_4")]);
    expect(await made.body("webhooks.endpoint", "acc_1/whe_1")).toBeUndefined();
    expect(await made.body("webhooks.endpoint", "acc_1/whe_2")).toBeUndefined();
  });

  test("are as they were changed last", async () => {
    const headers = { headersId: "whe_1/headers/2", names: ["X-Key"] };
    const changed = (changes: object): GivenEvent => {
      const data = { accountId: "acc_1", endpointId: "whe_1", ...changes };
      return of("acc_1", { type: "WebhookEndpointChanged", at: T0 + 1, data });
    };
    const made = await deliver(
      webhooks,
      [
        registered("acc_1", "whe_1"),
        changed({ headers: { headersId: "whe_1/headers/1", names: ["X-Old"] }, maxPerSecond: 5 }),
        changed({ url: "https://example.com/new", events: ["hold.expired"], headers, maxPerSecond: null }),
      ],
      delivery,
    );
    const now = { url: "https://example.com/new", events: ["hold.expired"] };
    expect(await made.body("webhooks.endpoint", "acc_1/whe_1")).toStrictEqual({ id: "whe_1", ...now });
    const document = await made.document("webhooks.endpoint", "acc_1/whe_1");
    const facts = { accountId: "acc_1", endpointId: "whe_1", ...now, headers, registeredAt: T0 };
    expect([document?.state, document?.created]).toStrictEqual([facts, made.events[0]?.position]);
  });

  test("have the position from which they get events, and what the dispatcher needs", async () => {
    const made = await deliver(webhooks, [registered("acc_1", "whe_1"), registered("acc_1", "whe_2")], delivery);
    const document = await made.document("webhooks.endpoint", "acc_1/whe_2");
    expect(document?.created).toBe(made.events[1]?.position);
    expect(document?.state).toStrictEqual({
      accountId: "acc_1",
      endpointId: "whe_2",
      url: "https://example.com/whe_2",
      events: EVENTS,
      registeredAt: T0,
    });
  });
});
