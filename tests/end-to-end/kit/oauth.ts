import type { TokenBody } from "@travel-booking/api-contract";
import type { Scope } from "@travel-booking/domain";
import type { World } from "./world.ts";

export interface OAuthClient {
  readonly id: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export async function oauthClient(world: World, accountId: string, scopes?: readonly Scope[]): Promise<OAuthClient> {
  const body = { accountId, kind: "oauth-client", ...(scopes && { scopes }) };
  return (await world.service.operator("POST", "/credentials", body)).body as OAuthClient;
}

export function requestToken(
  world: World,
  form: Readonly<Record<string, string>> | string,
  headers: Readonly<Record<string, string>> = {},
) {
  const body = typeof form === "string" ? form : String(new URLSearchParams(form));
  return world.anonymous.send<TokenBody>("POST", "/v1/oauth/token", {
    body,
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
  });
}

export function formOf({ clientId, clientSecret }: OAuthClient, more: Readonly<Record<string, string>> = {}) {
  return { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret, ...more };
}

export const oauthErrorOf = (answer: { readonly status: number; readonly body: unknown }) => [
  answer.status,
  (answer.body as { error?: string }).error,
];
