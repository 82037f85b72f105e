import { CURRENT_API_VERSION } from "@travel-booking/api-contract";
import { accountDecider } from "@travel-booking/domain";
import { OperatorError, type OperatorRequest, type OperatorRoute } from "@travel-booking/http/operator";
import { ACCOUNTS, ALL_PARTITION } from "@travel-booking/read-models";
import { accountIdOf } from "@travel-booking/runtime";
import { z } from "zod";
import { accountStream } from "../streams.ts";
import { listAll } from "./list-all.ts";
import { operatorContext } from "./operator-context.ts";
import type { OperatorServices } from "./operator-services.ts";
import { parse } from "./parse.ts";

const newAccount = z.strictObject({ name: z.string().trim().min(1).max(200) });

/** `account create`, `list`, `suspend`, `resume`. */
export function accountRoutes(services: OperatorServices): readonly OperatorRoute[] {
  return [
    {
      method: "POST",
      path: "/operator/accounts",
      async handle(request) {
        const { name } = parse(newAccount, request.body);
        const accountId = accountIdOf(services.ids.next());
        const { position } = await services.handler.execute({
          stream: accountStream(accountId),
          newStream: true,
          decider: accountDecider,
          command: { type: "OpenAccount", accountId, name, apiVersion: CURRENT_API_VERSION },
          context: operatorContext(services, request, accountId),
          reply: () => undefined,
        });
        await services.waitUntilProjected(position);
        return { status: 201, body: { id: accountId, name } };
      },
    },
    {
      method: "GET",
      path: "/operator/accounts",
      handle: async () => ({
        status: 200,
        body: { data: await listAll(services.models, ACCOUNTS.account.model, ACCOUNTS.account.all, ALL_PARTITION) },
      }),
    },
    {
      method: "POST",
      path: "/operator/accounts/:id/suspend",
      handle: (request) => setStatus(services, request, "SuspendAccount"),
    },
    {
      method: "POST",
      path: "/operator/accounts/:id/resume",
      handle: (request) => setStatus(services, request, "ResumeAccount"),
    },
  ];
}

async function setStatus(
  services: OperatorServices,
  request: OperatorRequest,
  type: "SuspendAccount" | "ResumeAccount",
) {
  const accountId = request.params.id ?? "";
  const outcome = await services.handler.execute({
    stream: accountStream(accountId),
    decider: accountDecider,
    command: { type },
    context: operatorContext(services, request, accountId),
    reply: (account) =>
      account.status === "unopened" ? undefined : { id: account.accountId, name: account.name, status: account.status },
  });
  if (!outcome.accepted) throw new OperatorError(404, "no account with this id");
  await services.waitUntilProjected(outcome.position);
  return { status: 200, body: outcome.reply };
}
