import { afterEach, expect, jest, test } from "@jest/globals";
import type { ApiRequest, ApiResponse } from "@travel-booking/http";
import { Receiver } from "@travel-booking/webhooks/receiver/testing";
import { type Endpoint, World } from "./kit/world.ts";

afterEach(() => {
  jest.useRealTimers();
});

/** A request for a test, past authentication and validation. */
function testRequest({ id, accountId }: Endpoint) {
  const request: Partial<ApiRequest> = {
    params: { id },
    body: { type: "booking.changed" },
    caller: { accountId, credentialId: "crd_1", scopes: new Set(), apiVersion: "2026-11-01" },
    command: { commandId: "7d444840-9dc0-11d1-b245-5ffdce74fad2", repeated: false },
    waitUncounted: (wait) => wait,
  };
  return request as never;
}

test("a test of a receiver that is silent fails before its request as a whole runs out of time", async () => {
  const world = await World.open();
  const receiver = await Receiver.start(() => undefined);
  const endpoint = await world.endpoint(receiver.url);
  const route = world.dispatcher.routes.find(({ operation }) => operation.id === "testWebhookEndpoint");
  jest.useFakeTimers({
    doNotFake: ["performance", "Date", "nextTick", "queueMicrotask", "setImmediate", "setInterval"],
  });
  const answers: ApiResponse[] = [];
  const tested = Promise.resolve(route?.handler(testRequest(endpoint))).then((answer) => answers.push(answer as never));
  await receiver.untilCount(1);
  // docs/rules.md#failures
  await jest.advanceTimersByTimeAsync(14_999);
  expect(answers.map(({ status, json }) => ({ status, body: JSON.parse(String(json)) as unknown }))).toStrictEqual([
    {
      status: 200,
      body: expect.objectContaining({
        status: "failed",
        responseStatus: null,
        error: "the endpoint did not answer within 10 seconds",
      }),
    },
  ]);
  await tested;
  await world.close();
  await receiver.stop();
});
