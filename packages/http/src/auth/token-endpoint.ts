import {
  exchangeTokenOperation,
  type TokenBody,
  type TokenRequest,
  tokenRequestSchema,
  toProblems,
} from "@travel-booking/api-contract";
import { SCOPES, type Scope } from "@travel-booking/domain";
import type { CredentialDirectory, CredentialRecord } from "@travel-booking/read-models";
import { requestsUnsupportedVersion, UNSUPPORTED_VERSION_PROBLEM } from "../app/api-version.ts";
import type { AddressRateLimiter } from "../limits/address-rate-limiter.ts";
import { rateHeaders, tooManyRequests } from "../limits/rate-headers.ts";
import type { RateLimiter, RateStatus } from "../limits/rate-limiter.ts";
import { contentTypeProblem } from "../request/content-type.ts";
import { parseQuery } from "../request/query-string.ts";
import type { ApiRequest, ApiResponse, RawBody, Route } from "../route.ts";
import { type AccessTokens, TOKEN_LIFETIME } from "./access-tokens.ts";
import { presentedClient } from "./client-credentials.ts";
import { NO_STORE, oauthError } from "./oauth-error.ts";
import { hashSecret, matchesSecretHash } from "./secret.ts";

export interface TokenEndpointOptions {
  readonly directory: CredentialDirectory;
  readonly tokens: AccessTokens;
  /** Per client. */
  readonly rateLimiter: RateLimiter;
  readonly addressRateLimiter: AddressRateLimiter;
}

/** Compared with where there is no such client, so that a wrong name takes as long as a wrong secret. */
const DUMMY_SECRET_HASH = hashSecret("");
const UNKNOWN_CLIENT = "The client is unknown, or its secret is wrong.";

/** `POST /v1/oauth/token`: the client credentials grant (RFC 6749 §4.4). */
export function tokenEndpoint(options: TokenEndpointOptions): Route {
  async function handler(request: ApiRequest<unknown, RawBody>): Promise<ApiResponse> {
    const ofAddress = await options.addressRateLimiter.count(request.raw.request);
    if (ofAddress?.exceeded) return withRate(tooManyRequests(ofAddress), ofAddress);

    if (requestsUnsupportedVersion(request))
      return withRate(oauthError("invalid_request", UNSUPPORTED_VERSION_PROBLEM), ofAddress);
    const form = formOf(request);
    if ("refusal" in form) return withRate(form.refusal, ofAddress);
    const presented = presentedClient(form, request.header("authorization"));
    if ("problem" in presented) return withRate(oauthError(presented.error, presented.problem), ofAddress);

    const client = await options.directory.byClientId(presented.clientId);
    const ofClient = client === undefined ? undefined : await options.rateLimiter.count(`token:${client.credentialId}`);
    const tighter = stricterRate(ofAddress, ofClient);
    if (ofClient?.exceeded) return withRate(tooManyRequests(ofClient), ofClient);

    const genuine = matchesSecretHash(presented.clientSecret, client?.secretHash ?? DUMMY_SECRET_HASH);
    if (client === undefined || !genuine || !client.credentialActive) {
      return withRate(oauthError("invalid_client", UNKNOWN_CLIENT), tighter);
    }
    if (!client.accountActive) return withRate(oauthError("invalid_client", "The account is suspended."), tighter);
    const scopes = grantedScopes(form.scope, client);
    if (typeof scopes === "string") return withRate(oauthError("invalid_scope", scopes), tighter);

    const body: TokenBody = {
      token_type: "Bearer",
      access_token: await options.tokens.issue(presented.clientId, scopes),
      expires_in: TOKEN_LIFETIME,
      scope: scopes.join(" "),
    };
    return withRate({ status: 200, json: JSON.stringify(body), headers: NO_STORE }, tighter);
  }
  return { operation: exchangeTokenOperation, skipsValidation: true, handler };
}

function formOf({ body, raw }: ApiRequest<unknown, RawBody>): TokenRequest | { readonly refusal: ApiResponse } {
  const refused = (problem: string) => ({ refusal: oauthError("invalid_request", problem) });
  if ("problem" in body) return refused(body.problem);
  const mislabelled = contentTypeProblem(raw.request.headers, "application/x-www-form-urlencoded");
  if (mislabelled !== undefined) return refused(mislabelled);
  const { parameters, problems } = parseQuery(Buffer.from(body.bytes).toString("utf8"));
  if (problems.length > 0) return refused(problems.join("; "));
  const form = tokenRequestSchema.safeParse(parameters);
  if (!form.success) return refused(toProblems(form.error).join("; "));
  if (form.data.grant_type === "client_credentials") return form.data;
  return { refusal: oauthError("unsupported_grant_type", "grant_type must be client_credentials") };
}

/** The scopes of the token, in their usual order; a text says what is wrong with those asked for. */
function grantedScopes(asked: string | undefined, client: CredentialRecord): readonly Scope[] | string {
  const named = (asked ?? "").split(" ").filter((scope) => scope !== "");
  if (named.length === 0) return SCOPES.filter((scope) => client.scopes.has(scope));
  const refused = named.filter((scope) => !client.scopes.has(scope as Scope));
  if (refused.length > 0) return `The client may not use: ${refused.join(" ").replaceAll(/[^\x20-\x7e]/g, "?")}`;
  return SCOPES.filter((scope) => named.includes(scope));
}

function stricterRate(a: RateStatus | undefined, b: RateStatus | undefined): RateStatus | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return b.remaining <= a.remaining ? b : a;
}

function withRate(response: ApiResponse, rate: RateStatus | undefined): ApiResponse {
  return rate === undefined ? response : { ...response, headers: { ...response.headers, ...rateHeaders(rate) } };
}
