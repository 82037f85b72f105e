import { afterEach, describe, expect, test } from "@jest/globals";
import type { WebhookEndpointsEvent } from "@travel-booking/domain";
import { parseEventStub, publicEventId } from "@travel-booking/read-models";
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

  test("make public events when they fail and when they have recovered, also those that are deleted", async () => {
    const data = { accountId: "acc_1", endpointId: "whe_1" };
    const failing = { status: "failing", reason: "it answered 500", since: T0 } as const;
    const recovered = { status: "active", reason: null, since: T0 + 5 } as const;
    const made = await deliver(
      webhooks,
      [
        registered("acc_1", "whe_1"),
        of("acc_1", { type: "WebhookEndpointFailing", at: T0 + 1, data: { ...data, ...failing } }),
        of("acc_1", { type: "WebhookEndpointRecovered", at: T0 + 6, data: { ...data, ...recovered } }),
        of("acc_1", { type: "WebhookEndpointDeleted", at: T0 + 7, data }),
      ],
      delivery,
    );
    const types = ["endpoint.failing", "endpoint.recovered"] as const;
    const [, first, second] = made.events;
    for (const [index, event] of [first, second].entries()) {
      const type = types[index] ?? "endpoint.failing";
      const eventId = publicEventId(event?.id ?? "", type, "whe_1");
      const document = await made.document("webhooks.event", eventId);
      const stub = { eventId, type, accountId: "acc_1", about: "whe_1", at: event?.at, revision: event?.revision };
      expect(parseEventStub(eventId, { json: document?.body ?? "" })).toStrictEqual(stub);
      expect(document?.state).toStrictEqual([failing, recovered][index]);
      expect(await made.list("webhooks.event", "byAccountAndType", `acc_1/${type}`)).toHaveLength(1);
    }
    expect(await made.list("webhooks.event", "all", "all")).toHaveLength(2);
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
