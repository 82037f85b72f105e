import { replayWebhookEndpointSchema, timestamp, toProblems, webhookStatusBody } from "@travel-booking/api-contract";
import type { ReadModels } from "@travel-booking/engines/read-store";
import type { StateStore } from "@travel-booking/engines/state-store";
import { OperatorError, type OperatorRequest, type OperatorRoute } from "@travel-booking/http/operator";
import { type EndpointRegistration, registeredEndpoints } from "@travel-booking/read-models";
import type { Clock, CommandIdGenerator } from "@travel-booking/runtime";
import { type DeliveryAttempt, EndpointDeliveries, ReplayRequests } from "@travel-booking/webhooks/deliveries";

export interface OperatorRoutesOptions {
  readonly state: StateStore;
  readonly models: ReadModels;
  readonly clock: Clock;
  readonly ids: CommandIdGenerator;
  /** Resolves when the read models of events and endpoints have reached the head of the log. */
  readonly waitUntilCaughtUp: () => Promise<void>;
  /** Called when a replay was requested. */
  readonly onReplayRequested: () => void;
}

/** At most so many attempts are shown. */
const MAX_ATTEMPTS_SHOWN = 200;

/** `webhook endpoints`, `deliveries`, `replay`. */
export function webhookOperatorRoutes(options: OperatorRoutesOptions): readonly OperatorRoute[] {
  return [
    {
      method: "GET",
      path: "/operator/webhook-endpoints",
      handle: async () => ({ status: 200, body: { data: await endpointRows(options) } }),
    },
    {
      method: "GET",
      path: "/operator/webhook-deliveries",
      handle: async () => ({ status: 200, body: { data: await deliveryRows(options, await allEndpoints(options)) } }),
    },
    {
      method: "GET",
      path: "/operator/webhook-endpoints/:id/deliveries",
      handle: async (request) => ({ status: 200, body: { data: await deliveriesOf(options, request) } }),
    },
    {
      method: "POST",
      path: "/operator/webhook-endpoints/:id/replay",
      handle: async (request) => ({ status: 202, body: await replay(options, request) }),
    },
  ];
}

async function endpointRows(options: OperatorRoutesOptions) {
  const log = new EndpointDeliveries({ store: options.state });
  const rows = [];
  for (const { endpointId, accountId, url, events, registeredAt } of await allEndpoints(options)) {
    const status = await log.status(endpointId, options.clock.now());
    rows.push({ id: endpointId, accountId, url, events, ...webhookStatusBody(status, registeredAt) });
  }
  return rows;
}

/** Works for a deleted endpoint, too, as long as its attempts are retained. */
async function deliveriesOf(options: OperatorRoutesOptions, request: OperatorRequest) {
  const rows = await deliveryRows(options, [{ endpointId: request.params.id ?? "" }]);
  if (rows.length === 0) await findEndpoint(options, request);
  return rows;
}

/** The newest attempts of these endpoints. */
async function deliveryRows(
  { state }: OperatorRoutesOptions,
  endpoints: readonly Pick<EndpointRegistration, "endpointId">[],
) {
  const log = new EndpointDeliveries({ store: state });
  const pages = [];
  for (const { endpointId } of endpoints) pages.push(await log.attempts(endpointId, { limit: MAX_ATTEMPTS_SHOWN }));
  const attempts = pages.flat().toSorted((one, other) => (one.sort < other.sort ? -1 : 1));
  return attempts.slice(0, MAX_ATTEMPTS_SHOWN).map(({ attempt }) => deliveryRow(attempt));
}

function deliveryRow(attempt: DeliveryAttempt) {
  const { accountId: _, signature: __, ...shown } = attempt;
  return {
    ...shown,
    deliveredAt: optionalTimestamp(attempt.deliveredAt),
    nextAttemptAt: optionalTimestamp(attempt.nextAttemptAt),
  };
}

async function replay(options: OperatorRoutesOptions, request: OperatorRequest) {
  const parsed = replayWebhookEndpointSchema.safeParse(request.body ?? {});
  if (!parsed.success) throw new OperatorError(400, ...toProblems(parsed.error));
  const { since } = parsed.data;
  const { accountId, endpointId } = await findEndpoint(options, request);
  await new ReplayRequests(options.state).add(options.ids.next(), { accountId, endpointId, since });
  options.onReplayRequested();
  return { endpointId, since: timestamp(since) };
}

async function findEndpoint(
  options: OperatorRoutesOptions,
  { params }: OperatorRequest,
): Promise<EndpointRegistration> {
  const found = (await allEndpoints(options)).find(({ endpointId }) => endpointId === params.id);
  if (found === undefined) throw new OperatorError(404, "no webhook endpoint with this id");
  return found;
}

async function allEndpoints({
  models,
  waitUntilCaughtUp,
}: OperatorRoutesOptions): Promise<readonly EndpointRegistration[]> {
  await waitUntilCaughtUp();
  return registeredEndpoints(models);
}

const optionalTimestamp = (at: number | null) => (at === null ? null : timestamp(at));
