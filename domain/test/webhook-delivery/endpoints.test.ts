import { describe, expect, test } from "@jest/globals";
import {
  MAX_WEBHOOK_ENDPOINTS,
  type RegisterWebhookEndpoint,
  type WebhookEndpointsEvent,
  webhookEndpointsDecider,
} from "../../src/index.ts";
import { specification } from "../shared/specification.ts";

const given = specification(webhookEndpointsDecider);
const accountId = "acc_1";

function endpoint(endpointId: string) {
  return { endpointId, accountId, url: `https://example.com/${endpointId}`, events: ["payment.failed"] } as const;
}

function register(endpointId: string): RegisterWebhookEndpoint {
  return { type: "RegisterWebhookEndpoint", ...endpoint(endpointId) };
}

function registered(endpointId: string, at = 1): WebhookEndpointsEvent {
  return { type: "WebhookEndpointRegistered", at, data: endpoint(endpointId) };
}

function deleted(endpointId: string, at = 2): WebhookEndpointsEvent {
  return { type: "WebhookEndpointDeleted", at, data: { endpointId, accountId } };
}

const FULL = Array.from({ length: MAX_WEBHOOK_ENDPOINTS }, (_, index) => registered(`whe_${index}`));

describe("the webhook endpoints of an account", () => {
  test("are registered, the same one once", () => {
    given([])
      .when(register("whe_1"), 1)
      .then([registered("whe_1")]);
    given([registered("whe_1")])
      .when(register("whe_1"), 5)
      .then([]);
    given([registered("whe_1")])
      .when(register("whe_2"), 5)
      .then([registered("whe_2", 5)]);
  });

  test("are a hundred at most", () => {
    given(FULL.slice(1))
      .when(register("whe_0"), 3)
      .then([registered("whe_0", 3)]);
    given(FULL)
      .when(register("whe_new"), 3)
      .thenRejected({ code: "too_many_endpoints", facts: { most: 100 } });
    given(FULL).when(register("whe_7"), 3).then([]);
    given([...FULL, deleted("whe_7")])
      .when(register("whe_new"), 3)
      .then([registered("whe_new", 3)]);
  });

  test("are deleted, once", () => {
    const remove = { type: "DeleteWebhookEndpoint", endpointId: "whe_1" } as const;
    given([registered("whe_1"), registered("whe_2")])
      .when(remove, 2)
      .then([deleted("whe_1")]);
    given([registered("whe_1"), deleted("whe_1")])
      .when(remove, 3)
      .thenRejected("endpoint_not_found");
    given([]).when(remove, 3).thenRejected("endpoint_not_found");
  });

  test("are those that were registered and not deleted since", () => {
    const history = [registered("whe_1"), registered("whe_2"), deleted("whe_1"), registered("whe_3", 5)];
    expect([...given(history).state().values()]).toStrictEqual([
      { ...endpoint("whe_2"), registeredAt: 1 },
      { ...endpoint("whe_3"), registeredAt: 5 },
    ]);
  });
});
