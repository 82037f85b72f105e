import type { Operation } from "../operation.ts";
import { operations } from "../operations/operations.ts";
import { TAGS } from "../tags.ts";
import { sharedHeaders } from "./headers.ts";
import { info } from "./info.ts";
import { operationObject } from "./operation-object.ts";
import { headerParameters } from "./parameters.ts";
import { type ResponseOptions, sharedResponses } from "./responses.ts";
import { withSchemas } from "./schemas.ts";
import { securitySchemes } from "./security.ts";
import type { OpenApiDocument, OperationObject } from "./types.ts";
import { webhookObjects } from "./webhooks.ts";

export interface DocumentOptions {
  /** Whether requests are counted: without a limit its headers are required of no answer. */
  readonly rateLimited: boolean;
  /** Where the service is asked, without a slash at the end: links out of the document have to be absolute. */
  readonly baseUrl: string;
}

/** The published interface description, OpenAPI 3.1, made from the operations and the schemas they validate by. */
export function openApiDocument({ rateLimited, baseUrl }: DocumentOptions): OpenApiDocument {
  return withSchemas((schemas) => documentOf({ schemas, rateLimited }, baseUrl));
}

function documentOf(options: ResponseOptions, baseUrl: string): OpenApiDocument {
  const { schemas } = options;
  const paths: Record<string, Record<string, OperationObject>> = {};
  for (const operation of inDocumentOrder(operations)) {
    const item = paths[operation.path] ?? {};
    item[operation.method.toLowerCase()] = operationObject(operation, options);
    paths[operation.path] = item;
  }
  const webhooks = webhookObjects(schemas);
  const responses = sharedResponses(options);
  return {
    openapi: "3.1.0",
    info,
    externalDocs: { description: "The same as a page to read.", url: `${baseUrl}/docs` },
    servers: [
      {
        url: "/",
        description: "The installation that serves this document, in production or sandbox.",
        "x-internal": false,
      },
    ],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    webhooks,
    components: {
      schemas: schemas.components,
      parameters: headerParameters,
      headers: sharedHeaders,
      responses,
      securitySchemes,
    },
  };
}

/** By tag, and inside one as they are declared. */
function inDocumentOrder(all: readonly Operation[]): readonly Operation[] {
  const tags = Object.keys(TAGS);
  return [...all].sort((a, b) => tags.indexOf(a.tag) - tags.indexOf(b.tag));
}
