import { type TestWebhookEndpointRequest, testWebhookEndpointOperation, timestamp } from "@travel-booking/api-contract";
import { DAY } from "@travel-booking/domain";
import type { StateStore } from "@travel-booking/engines/state-store";
import type { ApiRequest, Route } from "@travel-booking/http";
import { ownedKey, TEST_EVENTS, WEBHOOKS } from "@travel-booking/read-models";
import type { Clock } from "@travel-booking/runtime";
import type { EndpointStates } from "@travel-booking/webhooks/deliveries";
import type { EndpointResolver } from "../delivering/endpoint-resolver.ts";
import type { DeliverySender } from "../sending/delivery-sender.ts";
import { commandIdOf, ENDPOINT_NOT_FOUND, endpointRefOf } from "./endpoint-ref.ts";
import { sampleEvent } from "./sample-event.ts";

const TEST_EVENT_RETENTION = 30 * DAY;

export interface TestEndpointOptions {
  readonly receivers: EndpointResolver;
  readonly attempts: DeliverySender;
  readonly endpoints: EndpointStates;
  readonly state: StateStore;
  readonly clock: Clock;
}

/** Sends a sample event at once, whatever the endpoint subscribes to and however it stands, and tells what became of it. */
export function testEndpoint({ receivers, attempts, endpoints, state, clock }: TestEndpointOptions): Route {
  return {
    operation: testWebhookEndpointOperation,
    reads: [WEBHOOKS.projection],
    async handler(request: ApiRequest<unknown, TestWebhookEndpointRequest>) {
      const { accountId, endpointId } = endpointRefOf(request);
      const receiver = await receivers.find(accountId, endpointId);
      if (receiver === undefined) return ENDPOINT_NOT_FOUND;
      const ownPart = commandIdOf(request).replaceAll("-", "");
      const eventId = `evt_${ownPart}`;
      const at = clock.now();
      const json = sampleEvent(eventId, request.body.type, at);
      // Its receiver may ask for it before it has answered.
      await state.put(TEST_EVENTS.space, ownedKey(accountId, eventId), json, { expiresAt: at + TEST_EVENT_RETENTION });
      const gate = async () => (await endpoints.get(endpointId)).deletedAt === null;
      const sending = attempts.attempt({ ...receiver, eventId, body: Buffer.from(json) }, gate, NEVER);
      const attempt = await request.waitUncounted(sending);
      if (attempt === undefined) return ENDPOINT_NOT_FOUND;
      const { outcome, signature, durationMs } = attempt;
      const delivery = {
        id: `dlv_${ownPart}`,
        endpointId,
        status: outcome.ok ? "succeeded" : "failed",
        responseStatus: outcome.responseStatus,
        error: outcome.ok ? null : outcome.error,
        durationMs,
        deliveredAt: timestamp(at),
        signature,
      };
      return { status: 200, json: `${JSON.stringify(delivery).slice(0, -1)},"event":${json}}` };
    },
  };
}

/** Whoever asked waits for the answer. */
const NEVER = new AbortController().signal;
