import { OperatorError, type OperatorRoute, operatorRoute } from "@travel-booking/http/operator";
import { registeredEndpoints } from "@travel-booking/read-models";
import { z } from "zod";
import { rotateSecret } from "../webhook-endpoints.ts";
import { type OperatorServices, operatorContext, parse } from "./operator-services.ts";

const JUST_ROTATED = "the secret was replaced less than 24 hours ago; --expire-previous-now replaces it all the same";
const rotation = z.strictObject({ expirePreviousNow: z.boolean().default(false) });

/** `webhook rotate-secret`: for an account that can't do it itself. Returns the new secret, only this once. */
export function webhookSecretRoutes(services: OperatorServices): readonly OperatorRoute[] {
  return [
    operatorRoute("POST", "/operator/webhook-endpoints/:id/rotate-secret", async (request) => {
      const { expirePreviousNow } = parse(rotation, request.body);
      const endpoint = (await registeredEndpoints(services.models)).find(
        ({ endpointId }) => endpointId === request.params.id,
      );
      if (endpoint === undefined) throw new OperatorError(404, "no webhook endpoint with this id");
      const { accountId, endpointId } = endpoint;
      const context = operatorContext(request, { accountId });
      const secret = { endpointId, accountId, expirePreviousNow };
      const outcome = await rotateSecret(services, secret, context.commandId, context);
      if (!outcome.accepted) throw new OperatorError(409, JUST_ROTATED);
      await services.waitUntilProjected(outcome.position);
      return outcome.reply;
    }),
  ];
}
