import {
  type ChangeWebhookEndpointRequest,
  type CreateWebhookEndpointRequest,
  type NewWebhookEndpointBody,
  type RotatedWebhookSecretBody,
  type RotateWebhookSecretRequest,
  timestamp,
  type WebhookEndpointBody,
  webhookStatusBody,
} from "@travel-booking/api-contract";
import {
  type PublicEventType,
  type ReceiverHeaders,
  type SecretRotation,
  subscribedTypes,
  type WebhookEndpointsRejectionCode,
} from "@travel-booking/domain";
import { type ApiRequest, type ApiResponse, errorResponse } from "@travel-booking/http";
import { webhookEndpointIdOf } from "@travel-booking/runtime";
import { type CommandContext, type CommandOutcome, commandRequest, stepContext } from "./command-handling/command.ts";
import { created, noContent, ok, rejectionResponse } from "./responses.ts";
import { type CommandServices, servicesFor } from "./services.ts";
import { webhookEndpointsStream } from "./streams.ts";

/**
 * `POST /v1/webhook-endpoints`. The secret is stored before the endpoint is registered, so that nothing is ever
 * delivered unsigned. A repeated command finds the secret it made. A host name that does not resolve now is accepted,
 * because every delivery checks it again.
 */
export function createWebhookEndpoint({ handler, webhooks, reachedFaultPoint }: CommandServices) {
  return async (request: ApiRequest<unknown, CreateWebhookEndpointRequest>): Promise<ApiResponse> => {
    const command = commandRequest(request);
    const { url, events, headers, maxPerSecond } = request.body;
    const refused = await refusedTarget(webhooks, request, url);
    if (refused !== undefined) return refused;

    const { accountId } = command.caller;
    const endpointId = webhookEndpointIdOf(command.identity.commandId);
    const secret = await webhooks.secrets.getOrCreate(endpointId);
    const kept = await storeHeaders(webhooks, `${endpointId}/headers`, headers);
    reachedFaultPoint("endpoint:secret");
    const optional = { ...(kept && { headers: kept }), ...(maxPerSecond && { maxPerSecond }) };
    const outcome = await handler.execute({
      ...webhookEndpointsStream(accountId),
      command: { type: "RegisterWebhookEndpoint", endpointId, accountId, url, events, ...optional },
      context: stepContext(command, 0),
      reply: (endpoints) => endpoints.get(endpointId)?.events,
    });
    reachedFaultPoint("endpoint:registered");
    // Also if an earlier attempt made the endpoint, and it was deleted before this attempt.
    if (!outcome.accepted || outcome.reply === undefined) await webhooks.secrets.removeAll(endpointId);
    if (!outcome.accepted) return rejectionResponse(outcome.rejection, outcome.position);
    const types = (outcome.reply ?? subscribedTypes(events)) as readonly PublicEventType[];
    const body: NewWebhookEndpointBody = { id: endpointId, url, events: [...types], secret };
    return created(body, outcome.position);
  };
}

/** The answer if the URL may not be called. */
async function refusedTarget(
  { checkTarget }: CommandServices["webhooks"],
  request: Pick<ApiRequest, "waitUncounted">,
  url: string,
): Promise<ApiResponse | undefined> {
  const target = await request.waitUncounted(checkTarget(url));
  return target.kind === "refused" ? errorResponse(400, "target_refused", [`url ${target.reason}`]) : undefined;
}

/** Stores headers of the receiver's own as secrets are; null: there are to be none; undefined: nothing is said of them. */
async function storeHeaders(
  { secrets }: CommandServices["webhooks"],
  headersId: string,
  headers: Readonly<Record<string, string>> | undefined,
): Promise<ReceiverHeaders | null | undefined> {
  if (headers === undefined) return undefined;
  const names = Object.keys(headers);
  if (names.length === 0) return null;
  await secrets.put(headersId, JSON.stringify(headers));
  return { headersId, names };
}

/**
 * `PATCH /v1/webhook-endpoints/{id}`. Headers are stored before they are in force, under a name of their own. All that are
 * not in force are removed, also what a crash left. Another change may take those of this one for such, and remove them
 * before they are in force: so they are stored once more afterwards.
 */
export function changeWebhookEndpoint({ handler, webhooks, reachedFaultPoint }: CommandServices) {
  return async (request: ApiRequest<unknown, ChangeWebhookEndpointRequest>): Promise<ApiResponse> => {
    const command = commandRequest(request);
    const { url, events, headers, maxPerSecond } = request.body;
    const refused = url === undefined ? undefined : await refusedTarget(webhooks, request, url);
    if (refused !== undefined) return refused;

    const endpointId = request.params.id ?? "";
    const stream = webhookEndpointsStream(command.caller.accountId);
    const headersId = `${endpointId}/headers/${command.identity.commandId}`;
    const kept = await storeHeaders(webhooks, headersId, headers);
    reachedFaultPoint("endpoint:new-headers");
    const outcome = await handler.execute({
      ...stream,
      command: { type: "ChangeWebhookEndpoint", endpointId, url, events, headers: kept, maxPerSecond },
      context: stepContext(command, 0),
      reply: (endpoints) => endpoints.get(endpointId) ?? null,
    });
    reachedFaultPoint("endpoint:changed");
    // Null: an earlier attempt changed it, and it was deleted before this attempt. It may also be another account's.
    if (!outcome.accepted || outcome.reply === null) {
      if (kept) await webhooks.secrets.remove(headersId);
      const rejection = outcome.accepted ? ({ code: "endpoint_not_found" } as const) : outcome.rejection;
      return rejectionResponse(rejection, outcome.position);
    }
    if (outcome.reply.headers?.headersId === headersId) await storeHeaders(webhooks, headersId, headers);
    const inForce = () =>
      handler.readState({ ...stream, reply: (endpoints) => endpoints.get(endpointId)?.headers?.headersId });
    // The change is recorded, so a failure here does not fail it. The next change removes what this one leaves.
    await webhooks.secrets.removeFormerHeaders(endpointId, inForce).catch(() => undefined);
    const types = outcome.reply.events as readonly PublicEventType[];
    const body: WebhookEndpointBody = { id: endpointId, url: outcome.reply.url, events: [...types] };
    return ok(body, outcome.position);
  };
}

/**
 * `POST /v1/webhook-endpoints/{id}/rotate-secret`; the operator's command does the same. The new secret is stored
 * before it is in force, under its own name. So a repeated command finds the secret it made.
 * @param commandId of the command, the same for all attempts.
 */
export async function rotateSecret(
  { handler, webhooks, reachedFaultPoint }: Pick<CommandServices, "handler" | "webhooks" | "reachedFaultPoint">,
  { endpointId, accountId, expirePreviousNow }: SecretToRotate,
  commandId: string,
  context: CommandContext,
): Promise<CommandOutcome<RotatedWebhookSecretBody, WebhookEndpointsRejectionCode>> {
  const former = await rotationOf({ handler }, accountId, endpointId, context.attempt);
  const secretId = `${endpointId}/${commandId}`;
  const secret = await webhooks.secrets.getOrCreate(secretId);
  reachedFaultPoint("endpoint:new-secret");
  const outcome = await handler.execute({
    ...webhookEndpointsStream(accountId),
    command: { type: "RotateWebhookSecret", endpointId, secretId, expirePreviousNow },
    context,
    reply: (endpoints) => endpoints.get(endpointId)?.rotation,
  });
  const rotation = outcome.accepted ? outcome.reply : undefined;
  if (!outcome.accepted || rotation === undefined) {
    await webhooks.secrets.remove(secretId);
    // Also if an earlier attempt rotated the secret, and the endpoint was deleted before this attempt.
    if (!outcome.accepted) return outcome;
    return { accepted: false, rejection: { code: "endpoint_not_found" }, position: outcome.position };
  }
  const { previousSecretId, previousExpiresAt } = rotation;
  // Removes the secret that the previous rotation replaced, because no dispatcher uses it any more.
  if (former !== undefined && former.previousSecretId !== previousSecretId) {
    await webhooks.secrets.remove(former.previousSecretId);
  }
  const body = { id: endpointId, secret, previousSecretExpiresAt: timestamp(previousExpiresAt) };
  return { ...outcome, reply: body };
}

interface SecretToRotate {
  readonly endpointId: string;
  readonly accountId: string;
  readonly expirePreviousNow: boolean;
}

export function rotateWebhookSecret(services: CommandServices) {
  return async (request: ApiRequest<unknown, RotateWebhookSecretRequest>): Promise<ApiResponse> => {
    const command = commandRequest(request);
    const { expirePreviousNow = false } = request.body;
    const rotated = { endpointId: request.params.id ?? "", accountId: command.caller.accountId, expirePreviousNow };
    const outcome = await rotateSecret(services, rotated, command.identity.commandId, stepContext(command, 0));
    return outcome.accepted
      ? ok(outcome.reply, outcome.position)
      : rejectionResponse(outcome.rejection, outcome.position);
  };
}

function rotationOf(
  { handler }: Pick<CommandServices, "handler">,
  accountId: string,
  endpointId: string,
  attempt: CommandContext["attempt"],
): Promise<SecretRotation | undefined> {
  return handler.readState({
    ...webhookEndpointsStream(accountId),
    attempt,
    reply: (endpoints) => endpoints.get(endpointId)?.rotation,
  });
}

export function deleteWebhookEndpoint(services: CommandServices) {
  return async (request: ApiRequest): Promise<ApiResponse> => {
    const command = commandRequest(request);
    const endpoint = { endpointId: request.params.id ?? "", accountId: command.caller.accountId };
    const outcome = await removeEndpoint(servicesFor(request, services), endpoint, stepContext(command, 0));
    return outcome.accepted ? noContent(outcome.position) : rejectionResponse(outcome.rejection, outcome.position);
  };
}

/**
 * `DELETE /v1/webhook-endpoints/{id}`, the operator's `webhook delete`, and the erasure of an account. Dispatchers check before each attempt whether the
 * endpoint is stopped. That is stored before this resolves. After a crash in between, they see it in the read model a
 * moment later.
 */
export async function removeEndpoint(
  { handler, webhooks, clock, reachedFaultPoint, waitUncounted }: EndpointServices,
  { endpointId, accountId }: { readonly endpointId: string; readonly accountId: string },
  context: CommandContext,
): Promise<CommandOutcome<undefined, WebhookEndpointsRejectionCode>> {
  const outcome = await handler.execute({
    ...webhookEndpointsStream(accountId),
    command: { type: "DeleteWebhookEndpoint", endpointId },
    context,
    reply: () => undefined,
  });
  if (!outcome.accepted) return outcome;
  reachedFaultPoint("endpoint:deleted");
  await waitUncounted(webhooks.deliveries.stop(endpointId, clock.now()));
  await webhooks.secrets.removeAll(endpointId);
  return outcome;
}

type EndpointServices = Pick<CommandServices, "handler" | "webhooks" | "clock" | "reachedFaultPoint" | "waitUncounted">;

/** Deletes all endpoints of an account. Returns how many. @param newContext makes the context of each command. */
export async function removeEndpointsOf(
  services: EndpointServices,
  accountId: string,
  newContext: () => CommandContext,
): Promise<number> {
  const endpointIds = await services.handler.readState({
    ...webhookEndpointsStream(accountId),
    reply: (endpoints) => [...endpoints.keys()],
  });
  for (const endpointId of endpointIds) await removeEndpoint(services, { endpointId, accountId }, newContext());
  return endpointIds.length;
}

/** `POST /v1/webhook-endpoints/{id}/resume`. An endpoint that gets deliveries stays as it is. */
export function resumeWebhookEndpoint({ handler, webhooks, clock }: CommandServices) {
  return async (request: ApiRequest): Promise<ApiResponse> => {
    const { caller, identity } = commandRequest(request);
    const { accountId } = caller;
    const endpointId = request.params.id ?? "";
    const endpoint = await handler.readState({
      ...webhookEndpointsStream(accountId),
      attempt: identity,
      reply: (endpoints) => endpoints.get(endpointId),
    });
    if (endpoint === undefined) return rejectionResponse({ code: "endpoint_not_found" });
    const now = clock.now();
    identity.mayHaveActed = true;
    await webhooks.deliveries.resume(endpointId, now);
    const status = await webhooks.deliveries.status(endpointId, now);
    return { status: 200, json: JSON.stringify(webhookStatusBody(status, endpoint)) };
  };
}
