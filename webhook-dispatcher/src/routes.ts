import {
  type ReplayWebhookEndpointRequest,
  replayWebhookEndpointOperation,
  type TestWebhookEndpointRequest,
  testWebhookEndpointOperation,
  timestamp,
} from "@travel-booking/api-contract";
import { DAY } from "@travel-booking/domain";
import type { ReadModels } from "@travel-booking/engines/read-store";
import type { StateStore } from "@travel-booking/engines/state-store";
import { type ApiRequest, type ApiResponse, errorResponse, type Route } from "@travel-booking/http";
import { ownedKey, TEST_EVENTS, WEBHOOKS } from "@travel-booking/read-models";
import type { Clock } from "@travel-booking/runtime";
import type { EndpointStates, ReplayRequest } from "@travel-booking/webhooks/deliveries";
import { sampleEvent } from "./sample-event.ts";
import type { DeliverySender } from "./sending/delivery-sender.ts";
import type { EndpointResolver } from "./sending/endpoint-resolver.ts";

const TEST_EVENT_RETENTION = 30 * DAY;
/** Real time, shorter than that of a command (docs/rules.md#failures), so that the client learns the outcome. */
const TEST_TIMEOUT_MS = 10_000;

interface TestEndpointOptions {
  readonly endpointResolver: EndpointResolver;
  readonly sender: DeliverySender;
  readonly endpoints: EndpointStates;
  readonly state: StateStore;
  readonly clock: Clock;
}

/** Sends a sample event at once, regardless of subscription and health, and returns the outcome. */
export function testEndpoint({ endpointResolver, sender, endpoints, state, clock }: TestEndpointOptions): Route {
  return {
    operation: testWebhookEndpointOperation,
    reads: [WEBHOOKS.projection],
    async handler(request: ApiRequest<unknown, TestWebhookEndpointRequest>) {
      const { accountId, endpointId } = endpointRefOf(request);
      const endpoint = await endpointResolver.find(accountId, endpointId);
      if (endpoint === undefined) return ENDPOINT_NOT_FOUND;
      const idPart = commandIdOf(request).replaceAll("-", "");
      const eventId = `evt_${idPart}`;
      const at = clock.now();
      const json = await sampleEvent(eventId, request.body.type, at);
      // Stored first, because the receiver may fetch the event before it responds.
      await state.put(TEST_EVENTS.space, ownedKey(accountId, eventId), json, { expiresAt: at + TEST_EVENT_RETENTION });
      const mayStart = async () => (await endpoints.get(endpointId)).deletedAt === null;
      const sample = { ...endpoint, eventId, body: Buffer.from(json) };
      const sending = sender.attempt(sample, mayStart, NEVER, TEST_TIMEOUT_MS);
      const attempt = await request.waitUncounted(sending);
      if (attempt === undefined) return ENDPOINT_NOT_FOUND;
      const { outcome, signature, durationMs } = attempt;
      const delivery = {
        id: `dlv_${idPart}`,
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

/** A test is never aborted, because its client waits for the outcome. */
const NEVER = new AbortController().signal;

interface ReplayEndpointOptions {
  readonly models: ReadModels;
  readonly requestReplay: (request: Omit<ReplayRequest, "cursor">) => Promise<void>;
}

/** Requests a replay of the events since a moment. */
export function replayEndpoint({ models, requestReplay }: ReplayEndpointOptions): Route {
  return {
    operation: replayWebhookEndpointOperation,
    reads: [WEBHOOKS.projection],
    async handler(request: ApiRequest<unknown, ReplayWebhookEndpointRequest>) {
      const { accountId, endpointId } = endpointRefOf(request);
      const known = await models.body(WEBHOOKS.endpoint.model, ownedKey(accountId, endpointId));
      if (known === undefined) return ENDPOINT_NOT_FOUND;
      await requestReplay({ accountId, endpointId, since: request.body.since });
      return { status: 202, json: null };
    },
  };
}

const ENDPOINT_NOT_FOUND: ApiResponse = errorResponse(404, "endpoint_not_found", "no webhook endpoint with this id");

function endpointRefOf({ caller, params }: ApiRequest): {
  readonly accountId: string;
  readonly endpointId: string;
} {
  if (caller === null) throw new Error("an operation without a scope has no account");
  return { accountId: caller.accountId, endpointId: params.id ?? "" };
}

/** The id of the command. It is the same when the request is repeated. */
function commandIdOf({ command }: ApiRequest): string {
  if (command === null) throw new Error("an operation that writes runs under a command id");
  return command.commandId;
}
