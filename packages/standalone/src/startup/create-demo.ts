import { randomUUID } from "node:crypto";
import type { OperatorServices } from "@travel-booking/command-service";
import type { OperatorRoute } from "@travel-booking/http/operator";
import type { DemoAccount } from "../data-folder-files.ts";
import { demoCatalogue } from "../demo-catalogue/index.ts";

/**
 * Makes the demo catalogue and a demo account with an API key and an OAuth client, through the operations an operator
 * would use.
 */
export async function createDemo(services: OperatorServices, routes: readonly OperatorRoute[]): Promise<DemoAccount> {
  const call = operatorCaller(routes);
  await call("/operator/catalogue", demoCatalogue(services.clock.now()));
  const account = (await call("/operator/accounts", { name: "Demo" })) as { readonly id: string };
  const key = { accountId: account.id, kind: "api-key", name: "demo" };
  const client = { accountId: account.id, kind: "oauth-client", name: "demo" };
  const { apiKey } = (await call("/operator/credentials", key)) as { readonly apiKey: string };
  const { clientId, clientSecret } = (await call("/operator/credentials", client)) as {
    readonly clientId: string;
    readonly clientSecret: string;
  };
  return { accountId: account.id, apiKey, clientId, clientSecret };
}

function operatorCaller(routes: readonly OperatorRoute[]) {
  return async (path: string, body: unknown): Promise<unknown> => {
    const route = routes.find((candidate) => candidate.method === "POST" && candidate.path === path);
    if (route === undefined) throw new Error(`the operator interface has no ${path}`);
    const answer = await route.handle({ params: {}, body, requestId: randomUUID() });
    if (!("body" in answer)) throw new Error(`${path} answered with lines`);
    return answer.body;
  };
}
