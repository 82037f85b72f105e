import { SCOPES, type Scope } from "@travel-booking/domain";
import { examplesOf } from "../examples/examples.ts";
import { type Operation, TAGS } from "../operation.ts";
import { operations } from "../operations.ts";
import { sharedHeaders } from "./headers.ts";
import { info } from "./info.ts";
import { headerParameters, parametersOf } from "./parameters.ts";
import { type ResponseOptions, responsesOf, sharedResponses } from "./responses.ts";
import { withSchemas } from "./schemas.ts";
import type { OpenApiDocument, OperationObject } from "./types.ts";
import { webhookObjects } from "./webhooks.ts";

const SCOPE_TEXTS: Readonly<Record<Scope, string>> = {
  "flights:read": "Read destinations, flights and seat maps.",
  "bookings:read": "Read bookings, their history, documents and boarding passes.",
  "bookings:write": "Hold seats; make, change and cancel bookings; upload documents.",
  "passengers:read": "Read saved passengers.",
  "passengers:write": "Save, change and delete passengers.",
  "payments:read": "Read payments.",
  "payments:write": "Pay for bookings and refund payments.",
  "loyalty:read": "Read the loyalty account and its transactions.",
  "loyalty:write": "Redeem points.",
  "events:read": "Read events.",
  "webhooks:read": "Read webhook endpoints and what was delivered to them.",
  "webhooks:write": "Make, try, resume and delete webhook endpoints.",
};

const scopes = Object.fromEntries(SCOPES.map((scope) => [scope, SCOPE_TEXTS[scope]]));

/** docs/rules.md#accounts-and-credentials */
const securitySchemes: OpenApiDocument["components"]["securitySchemes"] = {
  ApiKey: {
    type: "apiKey",
    in: "header",
    name: "x-api-key",
    description: "An API key. Which scopes it has is decided when it is made.",
  },
  AccessToken: {
    type: "oauth2",
    description:
      "An access token of one hour by the client credentials grant, sent as `Authorization: Bearer <token>`. It is a signed JWT and checked as RFC8725 demands; a client needs to know nothing of what is in it.",
    flows: { clientCredentials: { tokenUrl: "/v1/oauth/token", scopes } },
  },
};

/** The API key has no scope here, because OpenAPI has scopes for OAuth only. */
function securityOf({ scope }: Operation): OperationObject["security"] {
  return scope === null ? [{}] : [{ ApiKey: [] }, { AccessToken: [scope] }];
}

const BODY_TYPES = {
  json: "application/json",
  form: "application/x-www-form-urlencoded",
  multipart: "multipart/form-data",
} as const;

function operationObject(operation: Operation, options: ResponseOptions): OperationObject {
  const { id, tag, summary, deprecated, beta } = operation;
  const requestBody = requestBodyOf(operation, options);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: describe(operation),
    ...(deprecated !== undefined && { deprecated: true }),
    ...(beta === true && { "x-beta": true }),
    security: securityOf(operation),
    parameters: parametersOf(operation, options.schemas),
    ...(requestBody !== undefined && { requestBody }),
    responses: responsesOf(operation, options),
  };
}

function describe({ summary, description, scope, deprecated, beta, idempotencyKey }: Operation): string {
  const sentences = [description ?? `${summary}.`];
  if (beta === true) sentences.push("**Beta**: it may still change in ways that break a client.");
  if (deprecated !== undefined) {
    const { since, sunset, successor } = deprecated;
    sentences.push(`**Deprecated** since ${since}, may be gone from ${sunset} on: use \`${successor}\` instead.`);
  }
  if (idempotencyKey === "required") sentences.push("An `Idempotency-Key` is required.");
  sentences.push(scope === null ? "Needs no credential." : `Needs the scope \`${scope}\`.`);
  return sentences.join("\n\n");
}

function requestBodyOf(operation: Operation, { schemas }: ResponseOptions): OperationObject["requestBody"] {
  const { id, body, bodyType = "json", bodyOptional } = operation;
  if (body === undefined) return undefined;
  const examples = examplesOf(id).request;
  const media = { schema: schemas.request(body), ...(examples !== undefined && { examples }) };
  return {
    description: bodyOptional === true ? "May be left out." : "Must be sent.",
    required: bodyOptional !== true,
    content: { [BODY_TYPES[bodyType]]: media },
  };
}

export interface DocumentOptions {
  /** False: no answer must have the headers of the rate limit. */
  readonly rateLimited: boolean;
}

/** The OpenAPI document of the public API, made from the operations and the schemas that validate their requests. */
export function openApiDocument({ rateLimited }: DocumentOptions): OpenApiDocument {
  return withSchemas((schemas) => documentOf({ schemas, rateLimited }));
}

function documentOf(options: ResponseOptions): OpenApiDocument {
  const { schemas } = options;
  const paths: Record<string, Record<string, OperationObject>> = {};
  for (const operation of inDocumentOrder(operations)) {
    const item = paths[operation.path] ?? {};
    item[operation.method.toLowerCase()] = operationObject(operation, options);
    paths[operation.path] = item;
  }
  // Before `components`, because webhooks and responses convert schemas, too.
  const webhooks = webhookObjects(schemas);
  const responses = sharedResponses(options);
  return {
    openapi: "3.1.0",
    info,
    servers: [
      {
        url: "/",
        description: "The installation that serves this document, in production or sandbox.",
        "x-internal": false,
      },
    ],
    tags: Object.entries(TAGS)
      .map(([name, description]) => ({ name, description }))
      .sort((one, other) => (one.name < other.name ? -1 : 1)),
    paths,
    webhooks,
    components: {
      schemas: schemas.components,
      parameters: headerParameters,
      headers: sharedHeaders(options),
      responses,
      securitySchemes,
    },
  };
}

/** Sorted by tag. Operations of one tag keep the order of their declaration. */
function inDocumentOrder(all: readonly Operation[]): readonly Operation[] {
  const tags = Object.keys(TAGS);
  return [...all].sort((a, b) => tags.indexOf(a.tag) - tags.indexOf(b.tag));
}
