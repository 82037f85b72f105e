import {
  exchangeTokenOperation,
  type OAuthError,
  type TokenBody,
  type TokenRequest,
  tokenRequestSchema,
  toProblems,
} from "@travel-booking/api-contract";
import { SCOPES, type Scope } from "@travel-booking/domain";
import type { CredentialDirectory, CredentialRecord } from "@travel-booking/read-models";
import {
  type AddressRateLimiter,
  type RateLimiter,
  type RateStatus,
  rateHeaders,
  tooManyRequests,
} from "../rate-limit.ts";
import { contentTypeProblem, requestsUnsupportedVersion, UNSUPPORTED_VERSION_PROBLEM } from "../request/headers.ts";
import { parseQuery } from "../request/parse.ts";
import type { ApiRequest, ApiResponse, RawBody, Route } from "../route.ts";
import { type AccessTokens, TOKEN_LIFETIME } from "./access-tokens.ts";
import { hashSecret, matchesSecretHash } from "./secret.ts";

interface TokenEndpointOptions {
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

/** Who a client says it is at the token endpoint. */
type PresentedClient =
  | { readonly clientId: string; readonly clientSecret: string }
  /** Two ways at once, or one of them incomplete (RFC 6749 §2.3). */
  | { readonly problem: string; readonly error: "invalid_request" | "invalid_client" };

const BASIC = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i;

function formDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}

/** RFC 6749 §2.3.1: both halves are form-encoded before they are joined. */
function fromBasic(authorization: string): { readonly id: string; readonly secret: string } | undefined {
  const encoded = BASIC.exec(authorization)?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, "base64").toString("utf8");
  const colon = text.indexOf(":");
  const id = formDecoded(text.slice(0, Math.max(0, colon)));
  const secret = formDecoded(text.slice(colon + 1));
  return colon === -1 || !id || !secret ? undefined : { id, secret };
}

/** Reads the client's credentials from the form, or from HTTP Basic. */
function presentedClient(
  form: { readonly client_id?: string | undefined; readonly client_secret?: string | undefined },
  authorization: string | undefined,
): PresentedClient {
  const { client_id: clientId, client_secret: clientSecret } = form;
  if (authorization === undefined) {
    if (clientId === undefined) return { error: "invalid_request", problem: "client_id is required" };
    if (clientSecret === undefined) return { error: "invalid_request", problem: "client_secret is required" };
    return { clientId, clientSecret };
  }
  const basic = fromBasic(authorization);
  if (basic === undefined) return { error: "invalid_client", problem: "Authorization must be HTTP Basic, well-formed" };
  if (clientSecret !== undefined || (clientId !== undefined && clientId !== basic.id)) {
    return { error: "invalid_request", problem: "the client must authenticate in one way only" };
  }
  return { clientId: basic.id, clientSecret: basic.secret };
}

/** RFC 6749 §5.1 demands it of tokens; errors follow suit. */
const NO_STORE = { "Cache-Control": "no-store", Pragma: "no-cache" };

/** An error of the token endpoint (RFC 6749 §5.2). */
function oauthError(error: OAuthError["error"], description: string): ApiResponse {
  const json = JSON.stringify({ error, error_description: description } satisfies OAuthError);
  if (error !== "invalid_client") return { status: 400, json, headers: NO_STORE };
  return { status: 401, json, headers: { ...NO_STORE, "WWW-Authenticate": 'Basic realm="travel-booking-service"' } };
}
