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
import { ERROR_CODE, firstProblems } from "../error-response.ts";
import { type AddressRateLimiter, type RateLimiter, tooManyRequests } from "../rate-limit.ts";
import {
  contentTypeProblem,
  repeatedHeaders,
  requestsUnsupportedVersion,
  UNSUPPORTED_VERSION_PROBLEM,
} from "../request/headers.ts";
import { decodeFormText, parseQuery } from "../request/parse.ts";
import type { ApiRequest, ApiResponse, RateStatus, RawBody, Route } from "../route.ts";
import { recognise } from "../strangers.ts";
import { type AccessTokens, TOKEN_LIFETIME } from "./access-tokens.ts";
import { hashSecret, matchesSecretHash } from "./secret.ts";

interface TokenEndpointOptions {
  readonly directory: CredentialDirectory;
  readonly tokens: AccessTokens;
  /** Per client. */
  readonly rateLimiter: RateLimiter;
  readonly addressRateLimiter: AddressRateLimiter;
}

/** The secret of an unknown client is compared with this, so that a wrong id takes as long as a wrong secret. */
const DUMMY_SECRET_HASH = hashSecret("");
const UNKNOWN_CLIENT = "The client is unknown, or its secret is wrong.";

/** `POST /v1/oauth/token`: the client credentials grant (RFC 6749 §4.4). */
export function tokenEndpoint(options: TokenEndpointOptions): Route {
  const { directory, tokens, rateLimiter, addressRateLimiter } = options;
  async function handler(request: ApiRequest<unknown, RawBody>): Promise<ApiResponse> {
    const ofAddress = await addressRateLimiter.count(request.raw.request);
    request.rate = ofAddress;
    if (ofAddress?.exceeded) return tooManyRequests(ofAddress);

    if (requestsUnsupportedVersion(request)) return oauthError("invalid_request", UNSUPPORTED_VERSION_PROBLEM);
    const [repeated] = repeatedHeaders(request.raw.request.rawHeaders);
    if (repeated !== undefined) return oauthError("invalid_request", `${repeated} is given more than once`);
    const form = formOf(request);
    if ("refusal" in form) return form.refusal;
    const presented = presentedClient(form, request.header("authorization"));
    if ("problem" in presented) return oauthError(presented.error, presented.problem);

    const client = await directory.byClientId(presented.clientId);
    const genuine = matchesSecretHash(presented.clientSecret, client?.secretHash ?? DUMMY_SECRET_HASH);
    if (client === undefined || !genuine || !client.credentialActive) {
      return oauthError("invalid_client", UNKNOWN_CLIENT);
    }
    recognise(request.raw.request.socket);
    // Only after the secret was checked: whoever knows the public id alone must not use up the client's limit.
    const ofClient = await rateLimiter.count(`token:${client.credentialId}`);
    request.rate = stricterRate(ofAddress, ofClient);
    if (ofClient?.exceeded) return tooManyRequests(ofClient);
    if (!client.accountActive) return oauthError("invalid_client", "The account is suspended.");
    const scopes = grantedScopes(form.scope, client);
    if (typeof scopes === "string") return oauthError("invalid_scope", scopes);

    const body: TokenBody = {
      token_type: "Bearer",
      access_token: await tokens.issue(presented.clientId, scopes),
      expires_in: TOKEN_LIFETIME,
      scope: scopes.join(" "),
    };
    return { status: 200, json: JSON.stringify(body), headers: NO_STORE };
  }
  return { operation: exchangeTokenOperation, skipsValidation: true, handler };
}

function formOf({ body, raw }: ApiRequest<unknown, RawBody>): TokenRequest | { readonly refusal: ApiResponse } {
  const refused = (problem: string) => ({ refusal: oauthError("invalid_request", problem) });
  if ("problem" in body) return refused(body.problem);
  const wrongType = contentTypeProblem(raw.request.headers, "application/x-www-form-urlencoded");
  if (wrongType !== undefined) return refused(wrongType);
  const { parameters, problems } = parseQuery(body.toString("utf8"));
  if (problems.length > 0) return refused(firstProblems(problems).join("; "));
  const form = tokenRequestSchema.safeParse(parameters);
  if (!form.success) return refused(firstProblems(toProblems(form.error)).join("; "));
  if (form.data.grant_type === "client_credentials") return form.data;
  return { refusal: oauthError("unsupported_grant_type", "grant_type must be client_credentials") };
}

type PresentedClient =
  | { readonly clientId: string; readonly clientSecret: string }
  | { readonly problem: string; readonly error: "invalid_request" | "invalid_client" };

/** The client's credentials, from the form or from HTTP Basic, but not from both (RFC 6749 §2.3). */
function presentedClient(form: TokenRequest, authorization: string | undefined): PresentedClient {
  const { client_id: clientId, client_secret: clientSecret } = form;
  if (authorization === undefined) {
    if (clientId === undefined) return { error: "invalid_request", problem: "client_id is required" };
    if (clientSecret === undefined) return { error: "invalid_request", problem: "client_secret is required" };
    return { clientId, clientSecret };
  }
  const basic = fromBasic(authorization);
  if (basic === undefined) return { error: "invalid_client", problem: "Authorization must be HTTP Basic, well-formed" };
  if (clientSecret !== undefined || (clientId !== undefined && clientId !== basic.clientId)) {
    return { error: "invalid_request", problem: "the client must authenticate in one way only" };
  }
  return basic;
}

const BASIC = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i;

/** RFC 6749 §2.3.1: client id and secret are form-encoded before they are joined. */
function fromBasic(authorization: string): { readonly clientId: string; readonly clientSecret: string } | undefined {
  const encoded = BASIC.exec(authorization)?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, "base64").toString("utf8");
  const colon = text.indexOf(":");
  const clientId = decodeFormText(text.slice(0, Math.max(0, colon)));
  const clientSecret = decodeFormText(text.slice(colon + 1));
  return clientId && clientSecret ? { clientId, clientSecret } : undefined;
}

/** The scopes of the token, in the order of `SCOPES`. A text is the problem with the requested scopes. */
function grantedScopes(requested: string | undefined, client: CredentialRecord): readonly Scope[] | string {
  const named = (requested ?? "").split(" ").filter((scope) => scope !== "");
  if (named.length === 0) return SCOPES.filter((scope) => client.scopes.has(scope));
  const refused = named.filter((scope) => !client.scopes.has(scope as Scope));
  if (refused.length > 0) return `The client may not use: ${refused.join(" ").replaceAll(/[^\x20-\x7e]/g, "?")}`;
  return SCOPES.filter((scope) => named.includes(scope));
}

function stricterRate(a: RateStatus | undefined, b: RateStatus | undefined): RateStatus | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return b.remaining <= a.remaining ? b : a;
}

/** RFC 6749 §5.1 demands it for tokens; errors use it too. */
const NO_STORE = { "Cache-Control": "no-store", Pragma: "no-cache" };

/** An error of the token endpoint (RFC 6749 §5.2). */
export function oauthError(error: OAuthError["error"], description: string): ApiResponse {
  const json = JSON.stringify({ error, error_description: description } satisfies OAuthError);
  const headers = { [ERROR_CODE]: error, ...NO_STORE };
  if (error !== "invalid_client") return { status: 400, json, headers };
  return { status: 401, json, headers: { ...headers, "WWW-Authenticate": 'Basic realm="travel-booking-service"' } };
}
