import { describe, expect, test } from "@jest/globals";
import {
  afterFailure,
  afterSuccess,
  type ChangeWebhookEndpoint,
  type EndpointHealth,
  HEALTHY,
  MAX_WEBHOOK_ENDPOINTS,
  MINUTE,
  type RegisterWebhookEndpoint,
  type RotateWebhookSecret,
  SECRET_OVERLAP,
  signingSecrets,
  USUAL_EVENT_TYPES,
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

function rotate(secretId: string, expirePreviousNow = false): RotateWebhookSecret {
  return { type: "RotateWebhookSecret", endpointId: "whe_1", secretId, expirePreviousNow };
}

function rotated(secretId: string, at: number, previousExpiresAt: number): WebhookEndpointsEvent {
  return { type: "WebhookSecretRotated", at, data: { endpointId: "whe_1", accountId, secretId, previousExpiresAt } };
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

  test("get the usual types for a `*`", () => {
    const { type, data, at } = registered("whe_1");
    given([])
      .when({ ...register("whe_1"), events: ["*", "hold.expired"] }, 1)
      .then([{ type, at, data: { ...data, events: [...USUAL_EVENT_TYPES, "hold.expired"] } } as WebhookEndpointsEvent]);
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

describe("the signing secret of a webhook endpoint", () => {
  const end = 5 + SECRET_OVERLAP;
  const once = [registered("whe_1"), rotated("s_2", 5, end)];

  test("is replaced once a day, the same command once", () => {
    given([registered("whe_1")])
      .when(rotate("s_2"), 5)
      .then([rotated("s_2", 5, end)]);
    given(once).when(rotate("s_2"), 6).then([]);
    given(once)
      .when(rotate("s_3"), end - 1)
      .thenRejected({ code: "secret_just_rotated", facts: { until: end } });
    given(once)
      .when(rotate("s_3"), end)
      .then([rotated("s_3", end, end + SECRET_OVERLAP)]);
  });

  test("is replaced at once where that is asked for, and then as often as wanted", () => {
    given(once)
      .when(rotate("s_3", true), 6)
      .then([rotated("s_3", 6, 6)]);
    given([...once, rotated("s_3", 6, 6)])
      .when(rotate("s_4"), 7)
      .then([rotated("s_4", 7, 7 + SECRET_OVERLAP)]);
    // A late repetition of the first.
    given([...once, rotated("s_3", 6, 6)])
      .when(rotate("s_2"), 7)
      .then([]);
  });

  test("of an endpoint that is not there can't be replaced", () => {
    given([]).when(rotate("s_2"), 5).thenRejected("endpoint_not_found");
    given([...once, deleted("whe_1", 6)])
      .when(rotate("s_3"), 7)
      .thenRejected("endpoint_not_found");
  });

  test("signs beside the one before it for a day", () => {
    const endpointId = "whe_1";
    const rotation = { secretId: "s_2", previousSecretId: endpointId, previousExpiresAt: end };
    expect(signingSecrets({ endpointId }, 5)).toStrictEqual([endpointId]);
    expect(signingSecrets({ endpointId, rotation }, end - 1)).toStrictEqual(["s_2", endpointId]);
    expect(signingSecrets({ endpointId, rotation }, end)).toStrictEqual(["s_2"]);
  });
});

describe("a changed webhook endpoint", () => {
  const HEADERS = { headersId: "whe_1/headers", names: ["X-Key"] };
  const change = (wanted: Omit<ChangeWebhookEndpoint, "type" | "endpointId">, endpointId = "whe_1") =>
    ({ type: "ChangeWebhookEndpoint", endpointId, ...wanted }) as const;
  const changed = (changes: object, at = 5) =>
    ({
      type: "WebhookEndpointChanged",
      at,
      data: { endpointId: "whe_1", accountId, ...changes },
    }) as WebhookEndpointsEvent;
  const withHeaders = changed({ headers: HEADERS, maxPerSecond: 5 }, 2);

  test("has what differs recorded, and nothing else", () => {
    given([registered("whe_1")])
      .when(change({ url: "https://example.com/2", events: ["*"], maxPerSecond: 7, headers: HEADERS }), 5)
      .then([changed({ url: "https://example.com/2", events: USUAL_EVENT_TYPES, headers: HEADERS, maxPerSecond: 7 })]);
    given([registered("whe_1"), withHeaders])
      .when(change({ url: endpoint("whe_1").url, events: ["payment.failed"], maxPerSecond: 5 }), 5)
      .then([]);
    given([registered("whe_1"), withHeaders])
      .when(change({}), 5)
      .then([]);
    given([registered("whe_1")])
      .when(change({ headers: null, maxPerSecond: null }), 5)
      .then([]);
  });

  test("loses its headers and its pace where they are sent as none", () => {
    given([registered("whe_1"), withHeaders])
      .when(change({ headers: null, maxPerSecond: null }), 5)
      .then([changed({ headers: null, maxPerSecond: null })]);
    given([registered("whe_1"), withHeaders, changed({ headers: null, maxPerSecond: null })])
      .when(change({ headers: null, maxPerSecond: null }), 6)
      .then([]);
  });

  test("keeps its headers at another path, and loses them at another origin, unless they are sent along", () => {
    const [path, origin] = ["https://example.com/other", "https://example.com:8443/whe_1"];
    const other = { ...HEADERS, headersId: "whe_1/headers/2" };
    const before = given([registered("whe_1"), withHeaders]);
    before.when(change({ url: path }), 5).then([changed({ url: path })]);
    before.when(change({ url: origin }), 5).then([changed({ url: origin, headers: null })]);
    before.when(change({ url: origin, headers: other }), 5).then([changed({ url: origin, headers: other })]);
    given([registered("whe_1")])
      .when(change({ url: origin }), 5)
      .then([changed({ url: origin })]);
  });

  test("is changed only where there is one", () => {
    given([registered("whe_1")])
      .when(change({ maxPerSecond: 1 }, "whe_2"), 5)
      .thenRejected("endpoint_not_found");
  });
});

describe("the health of a webhook endpoint", () => {
  const failed = (at: number, known = HEALTHY) => afterFailure(known, { at, reason: "it answered 500", gone: false });
  const FAILED = failed(1_000);
  const RECOVERED = afterSuccess(FAILED, 5_000);
  const tell = (health: EndpointHealth, endpointId = "whe_1") =>
    ({ type: "RecordEndpointHealth", endpointId, health }) as const;
  const data = { endpointId: "whe_1", accountId };
  const failing = (at: number, since: number): WebhookEndpointsEvent => ({
    type: "WebhookEndpointFailing",
    at,
    data: { ...data, status: "failing", reason: "it answered 500", since },
  });
  const recovered = (at: number, since: number): WebhookEndpointsEvent => ({
    type: "WebhookEndpointRecovered",
    at,
    data: { ...data, status: "active", reason: null, since },
  });

  test("is recorded once for each failure, and once when that is over", () => {
    given([registered("whe_1")])
      .when(tell(HEALTHY), 900)
      .then([]);
    given([registered("whe_1")])
      .when(tell(FAILED), 2_000)
      .then([failing(2_000, 1_000)]);
    const known = given([registered("whe_1"), failing(2_000, 1_000)]);
    known.when(tell(failed(3_000, FAILED)), 4_000).then([]);
    known.when(tell(RECOVERED), 6_000).then([recovered(6_000, 5_000)]);
    given([registered("whe_1"), failing(2_000, 1_000), recovered(6_000, 5_000)])
      .when(tell(RECOVERED), 7_000)
      .then([]);
    given([registered("whe_1")])
      .when(tell(FAILED, "whe_2"), 2_000)
      .then([]);
  });

  test("that is paused at once is recorded as a failure", () => {
    const gone = afterFailure(HEALTHY, { at: 1_000, reason: "it answered 410", gone: true });
    given([registered("whe_1")])
      .when(tell(gone), 2_000)
      .then([
        {
          type: "WebhookEndpointFailing",
          at: 2_000,
          data: { ...data, status: "paused", reason: "it answered 410", since: 1_000 },
        },
      ]);
  });

  test("that fails again within a minute of its recovery is recorded once that has lasted a minute", () => {
    const soon = given([registered("whe_1"), failing(2_000, 1_000), recovered(6_000, 5_000)]);
    const again = failed(6_000 + MINUTE - 1, RECOVERED);
    soon.when(tell(again), 6_000 + MINUTE).then([]);
    soon.when(tell(again), 6_000 + 2 * MINUTE - 2).then([]);
    const lasted = 6_000 + 2 * MINUTE - 1;
    soon.when(tell(again), lasted).then([failing(lasted, lasted - MINUTE)]);
    const later = 6_000 + MINUTE;
    soon.when(tell(failed(later, RECOVERED)), later).then([failing(later, later)]);
  });
});
