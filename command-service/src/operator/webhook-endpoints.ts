import { OperatorError, type OperatorRequest, type OperatorRoute, operatorRoute } from "@travel-booking/http/operator";
import { type EndpointRegistration, registeredEndpoints } from "@travel-booking/read-models";
import { z } from "zod";
import { removeEndpoint, rotateSecret } from "../webhook-endpoints.ts";
import { type OperatorServices, operatorContext, parse } from "./operator-services.ts";

const JUST_ROTATED = "the secret was replaced less than 24 hours ago; --expire-previous-now replaces it all the same";
const rotation = z.strictObject({ expirePreviousNow: z.boolean().default(false) });

/** `webhook rotate-secret`, which returns the new secret only this once, and `webhook delete`, in the owner's place. */
export function webhookEndpointRoutes(services: OperatorServices): readonly OperatorRoute[] {
  return [
    operatorRoute("POST", "/operator/webhook-endpoints/:id/rotate-secret", async (request) => {
      const { expirePreviousNow } = parse(rotation, request.body);
      const { accountId, endpointId } = await findEndpoint(services, request);
      const context = operatorContext(request, { accountId });
      const secret = { endpointId, accountId, expirePreviousNow };
      const outcome = await rotateSecret(services, secret, context.commandId, context);
      if (!outcome.accepted) throw new OperatorError(409, JUST_ROTATED);
      await services.waitUntilProjected(outcome.position);
      return outcome.reply;
    }),
    operatorRoute("DELETE", "/operator/webhook-endpoints/:id", async (request) => {
      const { accountId, endpointId } = await findEndpoint(services, request);
      const context = operatorContext(request, { accountId });
      const outcome = await removeEndpoint(services, { endpointId, accountId }, context);
      if (!outcome.accepted) throw new OperatorError(404, NOT_FOUND);
      await services.waitUntilProjected(outcome.position);
      return { id: endpointId, accountId, status: "deleted" };
    }),
  ];
}

const NOT_FOUND = "no webhook endpoint with this id";

/** @throws OperatorError 404 */
async function findEndpoint({ models }: OperatorServices, { params }: OperatorRequest): Promise<EndpointRegistration> {
  const found = (await registeredEndpoints(models)).find(({ endpointId }) => endpointId === params.id);
  if (found === undefined) throw new OperatorError(404, NOT_FOUND);
  return found;
}
