import { replayWebhookEndpointSchema, timestamp, toProblems, webhookStatusBody } from "@travel-booking/api-contract";
import type { ReadModels } from "@travel-booking/engines/read-store";
import { OperatorError, type OperatorRequest, type OperatorRoute, operatorRoute } from "@travel-booking/http/operator";
import {
  type EndpointRegistration,
  findEventStub,
  isAccountActive,
  jsonOfEvents,
  registeredEndpoints,
} from "@travel-booking/read-models";
import type { SealedWords } from "@travel-booking/read-models/sealed-words";
import type { Clock } from "@travel-booking/runtime";
import type { DeliveryAttempt, EndpointDeliveries } from "@travel-booking/webhooks/deliveries";
import type { Dispatcher } from "./dispatcher.ts";

export interface OperatorRoutesOptions {
  readonly dispatcher: Pick<Dispatcher, "requestReplay">;
  readonly deliveries: EndpointDeliveries;
  readonly models: ReadModels;
  readonly words: Pick<SealedWords, "openText">;
  readonly clock: Clock;
  /** Resolves when the read models of events and endpoints have reached the head of the log. */
  readonly waitUntilCaughtUp: () => Promise<void>;
}

/** At most so many attempts are shown, of at most so many of each endpoint that are looked at. */
const MAX_ATTEMPTS_SHOWN = 200;
const MAX_ATTEMPTS_SEARCHED = 2_000;

/** `webhook endpoints`, `deliveries`, `replay`, `resume`, `resend`; `delivery list`. */
export function webhookOperatorRoutes(options: OperatorRoutesOptions): readonly OperatorRoute[] {
  const route = (
    method: OperatorRoute["method"],
    path: string,
    answer: (options: OperatorRoutesOptions, request: OperatorRequest) => Promise<object>,
    status?: number,
  ) => operatorRoute(method, path, (request) => answer(options, request), status);
  return [
    route("GET", "/operator/webhook-endpoints", endpointRows),
    route("GET", "/operator/webhook-deliveries", allDeliveries),
    route("GET", "/operator/webhook-deliveries/:id", deliveryInFull),
    route("POST", "/operator/webhook-deliveries/:id/resend", resend, 202),
    route("POST", "/operator/webhook-endpoints/:id/resume", resume),
    route("POST", "/operator/webhook-endpoints/:id/replay-exhausted", replayExhausted, 202),
    route("GET", "/operator/webhook-endpoints/:id/deliveries", deliveriesOf),
    route("POST", "/operator/webhook-endpoints/:id/replay", replay, 202),
  ];
}

async function endpointRows(options: OperatorRoutesOptions) {
  const rows = [];
  for (const endpoint of await allEndpoints(options)) rows.push(await endpointRow(options, endpoint));
  return { data: rows };
}

async function endpointRow({ models, deliveries, clock }: OperatorRoutesOptions, endpoint: EndpointRegistration) {
  const { endpointId, accountId, url, events } = endpoint;
  const status = await deliveries.status(endpointId, clock.now());
  const suspended = (await isAccountActive(models, accountId)) ? undefined : SUSPENDED;
  return { id: endpointId, accountId, url, events, ...webhookStatusBody(status, endpoint), ...suspended };
}

const SUSPENDED = { status: "suspended", reason: "the account is suspended" };

async function allDeliveries(options: OperatorRoutesOptions, request: OperatorRequest) {
  return { data: await deliveryRows(options, await allEndpoints(options), request) };
}

async function deliveriesOf(options: OperatorRoutesOptions, request: OperatorRequest) {
  return { data: await deliveryRows(options, [await findEndpoint(options, request)], request) };
}

/** The newest attempts of these endpoints; with `status` or `bookingId`, of these alone. */
async function deliveryRows(
  { deliveries, words }: OperatorRoutesOptions,
  endpoints: readonly EndpointRegistration[],
  { query: { status, bookingId } }: OperatorRequest,
) {
  const limit = status === undefined && bookingId === undefined ? MAX_ATTEMPTS_SHOWN : MAX_ATTEMPTS_SEARCHED;
  const pages = [];
  for (const { endpointId } of endpoints) pages.push(await deliveries.attempts.page(endpointId, { limit }));
  const attempts = pages
    .flat()
    .filter(({ attempt }) => status === undefined || attempt.status === status)
    .filter(({ attempt }) => bookingId === undefined || attempt.bookingId === bookingId)
    .toSorted((one, other) => (one.sort < other.sort ? -1 : 1));
  return Promise.all(attempts.slice(0, MAX_ATTEMPTS_SHOWN).map(({ attempt }) => deliveryRow(words, attempt)));
}

async function deliveryRow(words: OperatorRoutesOptions["words"], attempt: DeliveryAttempt) {
  const { accountId: _, signature: __, excerpt, ...shown } = attempt;
  return {
    ...shown,
    ...(excerpt !== undefined && { excerpt: await words.openText(excerpt) }),
    deliveredAt: optionalTimestamp(attempt.deliveredAt),
    nextAttemptAt: optionalTimestamp(attempt.nextAttemptAt),
  };
}

/** An attempt, what it sent (null: the event is not there any more), and to which URL its endpoint sends now. */
async function deliveryInFull(options: OperatorRoutesOptions, request: OperatorRequest) {
  const { endpoint, attempt } = await findAttempt(options, request);
  const stub = await findEventStub(options.models, attempt.accountId, attempt.eventId);
  const { json } = await jsonOfEvents(options.models, [stub]);
  const headers = {
    "content-type": "application/json",
    "service-signature": attempt.signature,
    "webhook-id": attempt.eventId,
  };
  return {
    ...(await deliveryRow(options.words, attempt)),
    url: endpoint.url,
    request: { headers, body: json[0] ?? null },
  };
}

/** The event once more, in its place among what is pending for its booking; one that waits for its retry is due at once. */
async function resend(options: OperatorRoutesOptions, request: OperatorRequest) {
  const { endpoint, attempt } = await findAttempt(options, request);
  await replayEvents(options, endpoint, [attempt.eventId]);
  return { id: attempt.id, endpointId: endpoint.endpointId, eventId: attempt.eventId };
}

async function resume(options: OperatorRoutesOptions, request: OperatorRequest) {
  const endpoint = await findEndpoint(options, request);
  await options.deliveries.resume(endpoint.endpointId, options.clock.now());
  return endpointRow(options, endpoint);
}

async function replayExhausted(options: OperatorRoutesOptions, request: OperatorRequest) {
  const endpoint = await findEndpoint(options, request);
  const attempts = await options.deliveries.attempts.page(endpoint.endpointId, { limit: MAX_ATTEMPTS_SEARCHED });
  // Newest first: a map made of the reverse has each event's latest.
  const latest = new Map(attempts.toReversed().map(({ attempt }) => [attempt.eventId, attempt.status]));
  const events = [...latest].filter(([, status]) => status === "exhausted").map(([eventId]) => eventId);
  if (events.length === 0) throw new OperatorError(409, "nothing is exhausted at this endpoint");
  await replayEvents(options, endpoint, events);
  return { endpointId: endpoint.endpointId, events: events.length };
}

/** Sends some events again, those that are still there. @throws OperatorError 404 */
async function replayEvents(
  { models, dispatcher }: OperatorRoutesOptions,
  { accountId, endpointId }: EndpointRegistration,
  only: readonly string[],
): Promise<void> {
  const stubs = await Promise.all(only.map((eventId) => findEventStub(models, accountId, eventId)));
  const moments = stubs.flatMap((stub) => (stub === undefined ? [] : [stub.at]));
  if (moments.length === 0) throw new OperatorError(404, "the event is not there any more");
  // Retries, and lanes that waited, are attempted in another order than the events happened in.
  await dispatcher.requestReplay({ accountId, endpointId, since: Math.min(...moments), only });
}

/** @throws OperatorError 404 */
async function findAttempt(options: OperatorRoutesOptions, { params: { id = "" } }: OperatorRequest) {
  for (const endpoint of await allEndpoints(options)) {
    const attempt = await options.deliveries.attempts.find(endpoint.endpointId, id);
    if (attempt !== undefined) return { endpoint, attempt };
  }
  throw new OperatorError(404, "no delivery with this id");
}

async function replay(options: OperatorRoutesOptions, request: OperatorRequest) {
  const parsed = replayWebhookEndpointSchema.safeParse(request.body ?? {});
  if (!parsed.success) throw new OperatorError(400, ...toProblems(parsed.error));
  const { since } = parsed.data;
  const { accountId, endpointId } = await findEndpoint(options, request);
  await options.dispatcher.requestReplay({ accountId, endpointId, since });
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
